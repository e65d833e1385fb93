import { Button, Skeleton, Tag } from 'antd'
import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { type CategoryDetail, productCategoryApi } from '@iot/shared/contract/category'
import { codes } from '@iot/shared/contract/endpoint'
import { differenceOf } from '@iot/shared/contract/modelDifference'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { Right, useRefusal } from '@iot/shared/ui/right'
import { DetailHead, DetailTabs, useDetail } from '@iot/shared/ui/useDetail'
import type { Editing } from '../thingModel/editing'
import { saveModel } from '../thingModel/saveModel'

const skeleton = () => <Skeleton active title={false} paragraph={{ rows: 4 }} />
const ModelEditor = lazyPart(() => import('../thingModel/ModelEditor'), skeleton)
const Versions = lazyPart(() => import('./Versions'), skeleton)
const PublishDialog = lazyPart(() => import('./PublishDialog'))

const nothing = { properties: [], services: [], events: [] }
const nothingLocked: ReadonlySet<string> = new Set()

export function Component() {
  const { id = '' } = useParams()
  const refusal = useRefusal()
  const { row, change, take, frame } = useDetail(productCategoryApi.get, id)
  const [isPublishing, setPublishing] = useState(false)
  const changes = row ? differenceOf(row.published ?? nothing, row.model) : []

  const editing = (carrier: CategoryDetail): Editing => ({
    carrier,
    change: (make) =>
      change(({ id, version, model }, options) =>
        saveModel(productCategoryApi.saveModel, { id, version }, make(model), options),
      ),
    send: (revision, model) =>
      saveModel(productCategoryApi.saveModel, revision, model, { handles: [codes.version] }),
    refusal: refusal(productCategoryApi.saveModel),
    locked: nothingLocked,
    files: `/v1/product-category/${id}/model`,
  })

  return (
    <Panel>
      {frame(
        row && (
          <>
            <DetailHead
              name={row.name}
              code={row.code}
              actions={
                <Right
                  to={productCategoryApi.publish}
                  unless={changes.length === 0 && '与已发布的版本相同'}
                >
                  <Button onClick={() => setPublishing(true)}>发布新版本</Button>
                </Right>
              }
            >
              <span>{row.modelVersion > 0 ? `已发布版本 ${row.modelVersion}` : '还没有发布'}</span>
              {changes.length > 0 && <Tag color="warning">草稿有 {changes.length} 处修改</Tag>}
            </DetailHead>
            <DetailTabs
              items={[
                {
                  key: 'functions',
                  label: '标准功能',
                  children: (
                    <ModelEditor
                      editing={editing(row)}
                      name={row.name}
                      take={(carrier) => take(carrier as CategoryDetail)}
                    />
                  ),
                },
                {
                  key: 'versions',
                  label: '版本',
                  children: <Versions category={row} />,
                },
              ]}
            />
            {isPublishing && (
              <PublishDialog
                changes={changes}
                number={row.modelVersion + 1}
                publish={(note) =>
                  change(({ id, version }, options) =>
                    call(productCategoryApi.publish, { id, version, note }, options),
                  )
                }
                onClose={() => setPublishing(false)}
              />
            )}
          </>
        ),
      )}
    </Panel>
  )
}
