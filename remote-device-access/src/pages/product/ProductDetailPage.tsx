import { App, Button, Skeleton, Tag } from 'antd'
import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { type ProductDetail, productApi, productStatusText } from '@iot/shared/contract/product'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { Right } from '@iot/shared/ui/right'
import { DetailHead, DetailTabs, useDetail } from '@iot/shared/ui/useDetail'
import { ProductInfo } from './ProductInfo'
import { useConfirmStatus, verbs, type NextStatus } from './useConfirmStatus'

const skeleton = () => <Skeleton active title={false} paragraph={{ rows: 4 }} />
const ProductForm = lazyPart(() => import('./ProductForm'))
const ProductFunctions = lazyPart(() => import('./ProductFunctions'), skeleton)
const ProductAccess = lazyPart(() => import('./ProductAccess'), skeleton)
const ProductDevices = lazyPart(() => import('./ProductDevices'), skeleton)
const ProductChanges = lazyPart(() => import('./ProductChanges'), skeleton)

export function Component() {
  const { message } = App.useApp()
  const confirmStatus = useConfirmStatus()
  const { id = '' } = useParams()
  const { row, change, take, frame, refresh } = useDetail(productApi.get, id)
  const [isEditing, setEditing] = useState(false)

  const setStatus = (status: NextStatus, name: string) =>
    confirmStatus(status, `“${name}”`, async () => {
      const saved = await change(({ id, version }, options) =>
        call(productApi.setStatus, { id, version, status }, options),
      )
      if (saved) message.success(`“${name}”已${verbs[status]}`)
    })

  return (
    <Panel>
      {frame(
        row && (
          <>
            <DetailHead
              name={row.name}
              code={row.productKey}
              actions={
                <>
                  <Right
                    to={productApi.update}
                    unless={row.status === 'disabled' && '产品已停用，重新发布后才能修改'}
                  >
                    <Button onClick={() => setEditing(true)}>编辑</Button>
                  </Right>
                  {row.status === 'published' ? (
                    <Right to={productApi.setStatus}>
                      <Button onClick={() => setStatus('disabled', row.name)}>停用</Button>
                    </Right>
                  ) : (
                    <Right
                      to={productApi.setStatus}
                      unless={row.model.properties.length === 0 && '产品还没有属性，不能发布'}
                    >
                      <Button type="primary" onClick={() => setStatus('published', row.name)}>
                        {row.status === 'disabled' ? '重新发布' : '发布'}
                      </Button>
                    </Right>
                  )}
                </>
              }
            >
              {row.status === 'published' ? (
                productStatusText[row.status]
              ) : (
                <Tag>{productStatusText[row.status]}</Tag>
              )}
            </DetailHead>
            <DetailTabs
              items={[
                { key: 'info', label: '基本信息', children: <ProductInfo product={row} /> },
                {
                  key: 'functions',
                  label: '功能定义',
                  children: (
                    <ProductFunctions
                      product={row}
                      change={change}
                      take={(carrier) => take(carrier as ProductDetail)}
                    />
                  ),
                },
                {
                  key: 'access',
                  label: '接入信息',
                  children: <ProductAccess product={row} />,
                },
                {
                  key: 'devices',
                  label: '设备',
                  children: <ProductDevices product={row} onRegistered={refresh} />,
                },
                {
                  key: 'changes',
                  label: '变更记录',
                  children: <ProductChanges id={id} version={row.version} />,
                },
              ]}
            />
            {isEditing && (
              <ProductForm
                product={row}
                onSaved={(saved) => take(saved as ProductDetail)}
                onClose={() => setEditing(false)}
              />
            )}
          </>
        ),
      )}
    </Panel>
  )
}
