import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { productStatusText } from '@iot/shared/contract/product/product'
import type { ProductDetail } from '@iot/shared/contract/product/product.schema'
import { productApi } from '@iot/shared/contract/product/product.api'
import { paths } from '@iot/shared/screens/paths'
import { useFeedback } from '@iot/shared/ui/feedback'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can } from '@iot/shared/ui/right'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useConfirmStatus } from '../product/useConfirmStatus'
import { GuideStep } from './GuideStep'
import type { Guide } from './useGuide'

const ProductForm = lazyDialog(() => import('../product/ProductForm'))

/** Creates and publishes the product. */
export function ProductStep({ guide }: { guide: Guide }) {
  const { product } = guide
  const [isCreating, setCreating] = useState(false)
  const productPath = `${paths.deviceAccess.config.product()}/${product?.id}`
  return (
    <GuideStep
      number={3}
      title="产品"
      isDone={product?.status === 'published'}
      summary={
        product ? (
          <>
            <Link to={productPath}>{product.name}</Link>
            {`（${productStatusText[product.status]}，${countFunctions(product)} 项功能）`}
          </>
        ) : (
          '型号相同的设备是一个产品'
        )
      }
    >
      {!product && guide.categoryId && (
        <Flex>
          <Can to={productApi.create}>
            <Button type="primary" onClick={() => setCreating(true)}>
              新建产品
            </Button>
          </Can>
        </Flex>
      )}
      {product && product.status !== 'published' && (
        <PublishProduct product={product} onPublished={guide.applyProduct} />
      )}
      {isCreating && (
        <ProductForm
          categoryId={guide.categoryId}
          onSaved={(row) => guide.openProduct((row as ProductDetail).id)}
          onClose={() => setCreating(false)}
        />
      )}
    </GuideStep>
  )
}

const countFunctions = ({ model: { properties, services, events } }: ProductDetail) =>
  properties.length + services.length + events.length

type PublishProductProps = {
  product: ProductDetail
  onPublished: (product: ProductDetail) => void
}

function PublishProduct({ product, onPublished }: PublishProductProps) {
  const { message } = useFeedback()
  const confirmStatus = useConfirmStatus()
  const { id, version, name, model } = product
  return (
    <Flex gap={12} align="center">
      <Can
        to={productApi.setStatus}
        unless={model.properties.length === 0 && '产品还没有属性，不能发布'}
      >
        <Button
          type="primary"
          onClick={() =>
            confirmStatus(
              'published',
              `“${name}”`,
              () =>
                call(productApi.setStatus, { id, version, status: 'published' }).then(
                  (publishedProduct) => {
                    onPublished(publishedProduct)
                    void message.success(`“${name}”已发布`)
                  },
                  ignoreHandled,
                ),
              id,
            )
          }
        >
          发布
        </Button>
      </Can>
      <Link to={`${paths.deviceAccess.config.product()}/${id}?tab=functions`}>查看功能</Link>
    </Flex>
  )
}
