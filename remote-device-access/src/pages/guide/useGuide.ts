import useRequest from 'ahooks/es/useRequest'
import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { productApi } from '@iot/shared/contract/product/product.api'
import { projectApi } from '@iot/shared/contract/project/project.api'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'

/** The guide polls at this interval in ms, because devices connect and report while it is open. */
const pollIntervalMs = 2000
/** The guide shows the newest devices of the product; the product page shows all. */
const maxDevices = 20
/** Value of `?product=` for a product that does not exist yet. */
const newProduct = 'new'

/**
 * Reads how far the first product has come. Nothing about the guide itself is stored: every step is recognised from
 * the stored rows, so it can be left and resumed. The address names the product; without it the newest one is meant,
 * because ids grow with time.
 */
export function useGuide() {
  const [params, setParams] = useSearchParams()
  const projectId = useAtomValue(currentProjectIdAtom)
  const project = useAtomValue(projectsAtom).find(({ id }) => id === projectId)
  const spaces = useRequest(() => call(projectApi.spaces, { projectId }, { inline: true }), {
    ready: !!project,
    refreshDeps: [projectId],
  })
  const categories = useRequest(() => call(productCategoryApi.list, {}, { inline: true }))
  const products = useRequest(() => call(productApi.list, {}, { inline: true }))
  const newestId = useMemo(
    () =>
      products.data
        ?.map(({ id }) => id)
        .sort()
        .at(-1),
    [products.data],
  )
  const requestedId = params.get('product')
  const productId = requestedId === newProduct ? undefined : (requestedId ?? newestId)
  const product = useRequest(() => call(productApi.get, { id: productId! }, { inline: true }), {
    ready: !!productId,
    refreshDeps: [productId],
  })
  const currentProduct = productId && product.data?.id === productId ? product.data : undefined
  const devices = useRequest(
    () =>
      call(
        managedDeviceApi.page,
        { projectId, productId, pageNo: 1, pageSize: maxDevices, sort: '-createTime' },
        { inline: true },
      ),
    {
      ready: !!project && !!currentProduct,
      refreshDeps: [projectId, productId],
      pollingInterval: pollIntervalMs,
      pollingWhenHidden: false,
    },
  )
  const changeParams = (changes: Record<string, string>) =>
    setParams((current) => ({ ...Object.fromEntries(current), ...changes }), { replace: true })

  return {
    projectId,
    project,
    spaces,
    categories,
    categoryId: currentProduct?.categoryId ?? params.get('category') ?? undefined,
    chooseCategory: (category: string) => changeParams({ category }),
    product: currentProduct,
    applyProduct: product.mutate,
    openProduct: (id: string) => {
      changeParams({ product: id })
      products.refresh()
    },
    startAnother: () => setParams({ product: newProduct }),
    devices: currentProduct && devices.data?.list,
    refreshDevices: devices.refresh,
    isLoading:
      !products.data || !categories.data || (!!productId && !currentProduct && !product.error),
    error: [spaces, categories, products, product, devices].find(({ error }) => error)?.error,
    refresh() {
      for (const request of [categories, products]) request.refresh()
      if (project) spaces.refresh()
      if (productId) product.refresh()
    },
  }
}
export type Guide = ReturnType<typeof useGuide>
