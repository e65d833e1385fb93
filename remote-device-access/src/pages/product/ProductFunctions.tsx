import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Collapse from 'antd/es/collapse'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { standardCategoryApi } from '@iot/shared/contract/product/category.api'
import {
  findDeviations,
  findMissingControlFunctions,
  listMissingFunctions,
  type ModelDeviation,
} from '@iot/shared/contract/product/conformance'
import { responseCodes } from '@iot/shared/contract/endpoint'
import { listFunctions, type ThingFunction } from '@iot/shared/contract/thingModel/modelDifference'
import { adoptCategoryVersion } from '@iot/shared/contract/thingModel/modelMerge'
import type { ProductDetail } from '@iot/shared/contract/product/product.schema'
import { productApi } from '@iot/shared/contract/product/product.api'
import { kindText } from '@iot/shared/contract/thingModel/thingText'
import { useFeedback } from '@iot/shared/ui/feedback'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can, DisabledWithReason, useRefusalReason } from '@iot/shared/ui/right'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import type { useDetail } from '@iot/shared/ui/useDetail'
import { ModelDifference } from '../thingModel/ModelDifference'
import type { ModelOwner, ModelEditing } from '../thingModel/modelEditing'
import ModelEditor from '../thingModel/ModelEditor'
import { setDeprecated } from '../thingModel/modelOperations'
import { saveModel } from '../thingModel/saveModel'

const DeprecateFunctionDialog = lazyDialog(() => import('./DeprecateFunctionDialog'))
const DropFunctionDialog = lazyDialog(() => import('./DropFunctionDialog'))

type ChangeProduct = ReturnType<typeof useDetail<typeof productApi.get>>['change']
type ProductFunctionsProps = {
  product: ProductDetail
  change: ChangeProduct
  take: (carrier: ModelOwner) => void
}

/** Shows the functions of a product, its differences from the category, and a newer version of the category. */
export default function ProductFunctions({ product, change, take }: ProductFunctionsProps) {
  const { message } = useFeedback()
  const [isDropping, setDropping] = useState(false)
  const [functionToDeprecate, setFunctionToDeprecate] = useState<ThingFunction>()
  const { id, model, status, followed, categoryName } = product
  const isLocked = status !== 'developing'
  const refusal = useRefusalReason()(
    productApi.saveModel,
    status === 'disabled' && '产品已停用，重新发布后才能修改',
  )
  const findProductDeviations = useFindDeviations(product, isLocked)
  const productDeviations = findProductDeviations(product)
  const matchesStandard = followed && findDeviations(model, followed, isLocked).length === 0

  const editing: ModelEditing = {
    carrier: product,
    change: (applyChange) =>
      change(({ id, version, model }, options) =>
        saveModel(productApi.saveModel, { id, version }, applyChange(model), options),
      ),
    send: (revision, model) =>
      saveModel(productApi.saveModel, revision, model, { handles: [responseCodes.version] }),
    refusal,
    locked: new Set(isLocked ? listFunctions(model).map(({ identifier }) => identifier) : []),
    confirmDeprecation: isLocked ? setFunctionToDeprecate : undefined,
    controls: product.controls,
    files: `/v1/product/${id}/model`,
  }
  /** Applies the fix of a difference to the latest version of the model. */
  const applyFix = (deviation: ModelDeviation) =>
    change((latestProduct, options) => {
      const { id, version, model } = latestProduct
      const currentDeviation = findProductDeviations(latestProduct).find(
        ({ identifier, problem }) =>
          identifier === deviation.identifier && problem === deviation.problem,
      )
      return saveModel(
        productApi.saveModel,
        { id, version },
        currentDeviation?.fix?.model ?? model,
        options,
      )
    }).then(
      (savedProduct) =>
        savedProduct && void message.success(`“${deviation.name}”已${deviation.fix?.title}`),
    )

  return (
    <Flex vertical gap={16}>
      <NewVersionNotice product={product} refusal={refusal} change={change} />
      {productDeviations.length > 0 && (
        <DeviationList deviations={productDeviations} refusal={refusal} onFix={applyFix} />
      )}
      {matchesStandard && <span>符合所属品类“{categoryName}”的标准功能。</span>}
      <ModelEditor editing={editing} name={product.name} take={take} />
      {isLocked && (
        <Flex>
          <Can
            to={productApi.dropFunction}
            unless={status === 'disabled' && '产品已停用，重新发布后才能修改'}
          >
            <Button onClick={() => setDropping(true)}>移除不再使用的功能</Button>
          </Can>
        </Flex>
      )}
      {functionToDeprecate && (
        <DeprecateFunctionDialog
          productId={id}
          thingFunction={functionToDeprecate}
          onDeprecate={() =>
            editing.change((model) => setDeprecated(model, functionToDeprecate.identifier, true))
          }
          onClose={() => setFunctionToDeprecate(undefined)}
        />
      )}
      {isDropping && (
        <DropFunctionDialog
          product={product}
          onDrop={(identifier) =>
            change(({ id, version }, options) =>
              call(productApi.dropFunction, { id, version, identifier }, options),
            )
          }
          onClose={() => setDropping(false)}
        />
      )}
    </Flex>
  )
}

/** Returns a function that finds differences from the category, and functions that control types need but miss. */
function useFindDeviations(product: ProductDetail, isLocked: boolean) {
  const requiredIdentifiers = product.controls.flatMap(({ functions }) => functions)
  const { data: library } = usePickerOptions(standardCategoryApi.list, {
    ready: listMissingFunctions(product.model, requiredIdentifiers).length > 0,
  })
  return ({ model, followed, newest, controls }: ProductDetail) => [
    ...(followed ? findDeviations(model, followed, isLocked) : []),
    ...findMissingControlFunctions(model, controls, [
      ...(newest ? [newest.model] : []),
      ...(library ?? []).map((standardCategory) => standardCategory.model),
    ]),
  ]
}

type NewVersionNoticeProps = {
  product: ProductDetail
  refusal: string | undefined
  change: ChangeProduct
}

/** Offers a version of the category that is newer than the one the product follows. */
function NewVersionNotice({ product, refusal, change }: NewVersionNoticeProps) {
  const { modal, message } = useFeedback()
  const { newest, categoryName, categoryVersion } = product
  if (!newest || newest.number <= categoryVersion) return null
  const confirmNewestVersion = (number: number) =>
    modal.confirm({
      title: `采用“${categoryName}”版本 ${number}？`,
      width: 760,
      content: <AdoptionPreview product={product} />,
      okText: '采用',
      onOk: async () => {
        const savedProduct = await change(({ id, version }, options) =>
          call(productApi.follow, { id, version, number }, options),
        )
        if (savedProduct) message.success(`已采用版本 ${number}`)
      },
    })

  return (
    <Alert
      type="info"
      showIcon
      title={
        categoryVersion === 0
          ? `所属品类“${categoryName}”有标准功能（版本 ${newest.number}），还没有采用`
          : `所属品类“${categoryName}”已发布版本 ${newest.number}，本产品仍在版本 ${categoryVersion}`
      }
      action={
        <DisabledWithReason why={refusal}>
          <Button size="small" onClick={() => confirmNewestVersion(newest.number)}>
            查看差异并采用
          </Button>
        </DisabledWithReason>
      }
    />
  )
}

type DeviationListProps = {
  deviations: ModelDeviation[]
  refusal: string | undefined
  onFix: (deviation: ModelDeviation) => void
}

const DeviationList = ({ deviations, refusal, onFix }: DeviationListProps) => (
  <Collapse
    defaultActiveKey="found"
    items={[
      {
        key: 'found',
        label: `与品类或控制类型不符 ${deviations.length} 处`,
        children: (
          <Table<ModelDeviation>
            size="small"
            rowKey={({ identifier, problem }) => identifier + problem}
            dataSource={deviations}
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
                render: (_, deviation) =>
                  deviation.fix ? (
                    <DisabledWithReason why={refusal}>
                      <Button
                        type="link"
                        size="small"
                        onClick={() => onFix(deviation)}
                        style={{ marginInlineStart: -7 }}
                      >
                        {deviation.fix.title}
                      </Button>
                    </DisabledWithReason>
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
)

/** Previews what the newest category version would change in a product, and which own functions stay. */
function AdoptionPreview({ product }: { product: ProductDetail }) {
  const { model, followed, newest, status } = product
  if (!newest) return null
  const { changes, keptChanges } = adoptCategoryVersion(
    model,
    followed,
    newest.model,
    status !== 'developing',
  )
  return (
    <Flex vertical gap={12}>
      <ModelDifference changes={changes} empty="本产品的功能不变" />
      {keptChanges.length > 0 && (
        <span>
          以下功能本产品改过或设备在用，保持不变：{keptChanges.map(({ name }) => name).join('、')}
        </span>
      )}
    </Flex>
  )
}
