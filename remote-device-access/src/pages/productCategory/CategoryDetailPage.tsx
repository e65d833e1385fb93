import Button from 'antd/es/button'
import Skeleton from 'antd/es/skeleton'
import Tag from 'antd/es/tag'
import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { CategoryDetail } from '@iot/shared/contract/product/category.schema'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import { responseCodes } from '@iot/shared/contract/endpoint'
import { compareModels } from '@iot/shared/contract/thingModel/modelDifference'
import { lazyDialog, lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { Can, useRefusalReason } from '@iot/shared/ui/right'
import { DetailHead, DetailTabs, useDetail } from '@iot/shared/ui/useDetail'
import type { ModelEditing } from '../thingModel/modelEditing'
import { saveModel } from '../thingModel/saveModel'

const renderSkeleton = () => <Skeleton active title={false} paragraph={{ rows: 4 }} />
const ModelEditor = lazyPart(() => import('../thingModel/ModelEditor'), renderSkeleton)
const Versions = lazyPart(() => import('./CategoryVersions'), renderSkeleton)
const PublishDialog = lazyDialog(() => import('./PublishDialog'))

const emptyModel = { properties: [], services: [], events: [] }
const noLockedFunctions: ReadonlySet<string> = new Set()

export function Component() {
  const { id = '' } = useParams()
  const refusal = useRefusalReason()
  const {
    row,
    change: changeRow,
    take: replaceRow,
    frame: renderLoaded,
  } = useDetail(productCategoryApi.get, id)
  const [isPublishing, setPublishing] = useState(false)
  const changes = row ? compareModels(row.published ?? emptyModel, row.model) : []

  const createEditing = (carrier: CategoryDetail): ModelEditing => ({
    carrier,
    change: (applyChange) =>
      changeRow(({ id, version, model }, options) =>
        saveModel(productCategoryApi.saveModel, { id, version }, applyChange(model), options),
      ),
    send: (revision, model) =>
      saveModel(productCategoryApi.saveModel, revision, model, {
        handles: [responseCodes.version],
      }),
    refusal: refusal(productCategoryApi.saveModel),
    locked: noLockedFunctions,
    files: `/v1/product-category/${id}/model`,
  })

  return (
    <Panel>
      {renderLoaded(
        row && (
          <>
            <DetailHead
              name={row.name}
              code={row.code}
              actions={
                <Can
                  to={productCategoryApi.publish}
                  unless={changes.length === 0 && '与已发布的版本相同'}
                >
                  <Button onClick={() => setPublishing(true)}>发布新版本</Button>
                </Can>
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
                      editing={createEditing(row)}
                      name={row.name}
                      take={(carrier) => replaceRow(carrier as CategoryDetail)}
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
                  changeRow(({ id, version }, options) =>
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
