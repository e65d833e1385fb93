import { Alert, App, Button, Collapse, Flex, Table } from 'antd'
import { call } from '@iot/shared/client/call'
import { standardCategoryApi } from '@iot/shared/contract/category'
import { departures, lacking, missingOf, type Departure } from '@iot/shared/contract/conformance'
import { codes } from '@iot/shared/contract/endpoint'
import { functionsOf } from '@iot/shared/contract/modelDifference'
import { follow } from '@iot/shared/contract/modelMerge'
import { productApi, type ProductDetail } from '@iot/shared/contract/product'
import { kindText } from '@iot/shared/contract/thingText'
import { Because, useRefusal } from '@iot/shared/ui/right'
import { useListed } from '@iot/shared/ui/useListed'
import type { useDetail } from '@iot/shared/ui/useDetail'
import { Difference } from '../thingModel/Difference'
import type { Carrier, Editing } from '../thingModel/editing'
import ModelEditor from '../thingModel/ModelEditor'
import { saveModel } from '../thingModel/saveModel'

type ProductFunctionsProps = {
  product: ProductDetail
  change: ReturnType<typeof useDetail<typeof productApi.get>>['change']
  take: (carrier: Carrier) => void
}

/** Shows the functions of a product, its differences from the category, and a newer version of the category. */
export default function ProductFunctions({ product, change, take }: ProductFunctionsProps) {
  const { modal, message } = App.useApp()
  const { id, model, status, followed, newest, categoryName, categoryVersion } = product
  const isLocked = status !== 'developing'
  const refusal = useRefusal()(
    productApi.saveModel,
    status === 'disabled' && '产品已停用，重新发布后才能修改',
  )
  const needed = product.controls.flatMap(({ functions }) => functions)
  const { data: library } = useListed(standardCategoryApi.list, {
    ready: missingOf(model, needed).length > 0,
  })
  /** Finds differences from the category and functions that control types need but the model lacks. */
  const foundIn = ({ model, followed, newest, controls }: ProductDetail) => [
    ...(followed ? departures(model, followed, isLocked) : []),
    ...lacking(model, controls, [
      ...(newest ? [newest.model] : []),
      ...(library ?? []).map((one) => one.model),
    ]),
  ]
  const found = foundIn(product)
  const isStandard = followed && departures(model, followed, isLocked).length === 0

  const editing: Editing = {
    carrier: product,
    change: (make) =>
      change(({ id, version, model }, options) =>
        saveModel(productApi.saveModel, { id, version }, make(model), options),
      ),
    send: (revision, model) =>
      saveModel(productApi.saveModel, revision, model, { handles: [codes.version] }),
    refusal,
    locked: new Set(isLocked ? functionsOf(model).map(({ identifier }) => identifier) : []),
    controls: product.controls,
    files: `/v1/product/${id}/model`,
  }
  /** Applies the fix of a difference to the latest version of the model. */
  const mend = (one: Departure) =>
    change((now, options) => {
      const { id, version, model } = now
      const again = foundIn(now).find(
        ({ identifier, problem }) => identifier === one.identifier && problem === one.problem,
      )
      return saveModel(productApi.saveModel, { id, version }, again?.mend?.model ?? model, options)
    }).then((saved) => saved && void message.success(`“${one.name}”已${one.mend?.title}`))

  const takeNewest = (number: number) =>
    modal.confirm({
      title: `采用“${categoryName}”版本 ${number}？`,
      width: 760,
      content: <Following product={product} />,
      okText: '采用',
      onOk: async () => {
        const saved = await change(({ id, version }, options) =>
          call(productApi.follow, { id, version, number }, options),
        )
        if (saved) message.success(`已采用版本 ${number}`)
      },
    })

  return (
    <Flex vertical gap={16}>
      {newest && newest.number > categoryVersion && (
        <Alert
          type="info"
          showIcon
          title={
            categoryVersion === 0
              ? `所属品类“${categoryName}”有标准功能（版本 ${newest.number}），还没有采用`
              : `所属品类“${categoryName}”已发布版本 ${newest.number}，本产品仍在版本 ${categoryVersion}`
          }
          action={
            <Because why={refusal}>
              <Button size="small" onClick={() => takeNewest(newest.number)}>
                查看差异并采用
              </Button>
            </Because>
          }
        />
      )}
      {found.length > 0 && (
        <Collapse
          defaultActiveKey="found"
          items={[
            {
              key: 'found',
              label: `与品类或控制类型不符 ${found.length} 处`,
              children: (
                <Table<Departure>
                  size="small"
                  rowKey={({ identifier, problem }) => identifier + problem}
                  dataSource={found}
                  pagination={false}
                  columns={[
                    {
                      title: '功能',
                      width: 260,
                      render: (_, { kind, name, identifier }) =>
                        `${kindText[kind]} ${name} ${identifier}`,
                    },
                    { title: '不符之处', dataIndex: 'problem' },
                    {
                      title: '操作',
                      width: 110,
                      render: (_, one) =>
                        one.mend ? (
                          <Because why={refusal}>
                            <Button
                              type="link"
                              size="small"
                              onClick={() => mend(one)}
                              style={{ marginInlineStart: -7 }}
                            >
                              {one.mend.title}
                            </Button>
                          </Because>
                        ) : (
                          '须人工处理'
                        ),
                    },
                  ]}
                />
              ),
            },
          ]}
        />
      )}
      {isStandard && <span>符合所属品类“{categoryName}”的标准功能。</span>}
      <ModelEditor editing={editing} name={product.name} take={take} />
    </Flex>
  )
}

/** Previews what the newest category version would change in a product, and which own functions stay. */
function Following({ product }: { product: ProductDetail }) {
  const { model, followed, newest, status } = product
  if (!newest) return null
  const { changes, kept } = follow(model, followed, newest.model, status !== 'developing')
  return (
    <Flex vertical gap={12}>
      <Difference changes={changes} empty="本产品的功能不变" />
      {kept.length > 0 && (
        <span>
          以下功能本产品改过或设备在用，保持不变：{kept.map(({ name }) => name).join('、')}
        </span>
      )}
    </Flex>
  )
}
