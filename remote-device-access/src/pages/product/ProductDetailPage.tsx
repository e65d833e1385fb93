import Button from 'antd/es/button'
import Skeleton from 'antd/es/skeleton'
import Tag from 'antd/es/tag'
import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { productStatusText } from '@iot/shared/contract/product/product'
import type { ProductDetail } from '@iot/shared/contract/product/product.schema'
import { productApi } from '@iot/shared/contract/product/product.api'
import { useFeedback } from '@iot/shared/ui/feedback'
import { lazyDialog, lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { Can } from '@iot/shared/ui/right'
import { DetailHead, DetailTabs, useDetail } from '@iot/shared/ui/useDetail'
import { ProductInfo } from './ProductInfo'
import { useConfirmStatus, statusVerbs, type NextStatus } from './useConfirmStatus'

const renderSkeleton = () => <Skeleton active title={false} paragraph={{ rows: 4 }} />
const ProductForm = lazyDialog(() => import('./ProductForm'))
const ProductFunctions = lazyPart(() => import('./ProductFunctions'), renderSkeleton)
const ProductAccess = lazyPart(() => import('./ProductAccess'), renderSkeleton)
const ProductDevices = lazyPart(() => import('./ProductDevices'), renderSkeleton)
const ProductChanges = lazyPart(() => import('./ProductChanges'), renderSkeleton)

export function Component() {
  const { message } = useFeedback()
  const confirmStatus = useConfirmStatus()
  const { id = '' } = useParams()
  const {
    row,
    change: changeRow,
    take: replaceRow,
    frame: renderLoaded,
    refresh,
  } = useDetail(productApi.get, id)
  const [isEditing, setEditing] = useState(false)

  const setStatus = (status: NextStatus, name: string) => {
    const save = async () => {
      const savedProduct = await changeRow(({ id, version }, options) =>
        call(productApi.setStatus, { id, version, status }, options),
      )
      if (savedProduct) message.success(`“${name}”已${statusVerbs[status]}`)
    }
    return confirmStatus(status, `“${name}”`, save, id)
  }

  return (
    <Panel>
      {renderLoaded(
        row && (
          <>
            <DetailHead
              name={row.name}
              code={row.productKey}
              actions={
                <>
                  <Can
                    to={productApi.update}
                    unless={row.status === 'disabled' && '产品已停用，重新发布后才能修改'}
                  >
                    <Button onClick={() => setEditing(true)}>编辑</Button>
                  </Can>
                  {row.status === 'published' ? (
                    <Can to={productApi.setStatus}>
                      <Button onClick={() => setStatus('disabled', row.name)}>停用</Button>
                    </Can>
                  ) : (
                    <Can
                      to={productApi.setStatus}
                      unless={row.model.properties.length === 0 && '产品还没有属性，不能发布'}
                    >
                      <Button type="primary" onClick={() => setStatus('published', row.name)}>
                        {row.status === 'disabled' ? '重新发布' : '发布'}
                      </Button>
                    </Can>
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
                      change={changeRow}
                      take={(carrier) => replaceRow(carrier as ProductDetail)}
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
                onSaved={(savedProduct) => replaceRow(savedProduct as ProductDetail)}
                onClose={() => setEditing(false)}
              />
            )}
          </>
        ),
      )}
    </Panel>
  )
}
