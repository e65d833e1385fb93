import { resource } from '../resource'
import { type Api, defineApi } from '../endpoint'
import type { productSchemas } from './product.schema'

const products = resource('deviceAccess', 'product', '产品', 'platform')
const queryPermission = 'deviceAccess:product:query'

// The type is named, because the compiler cannot write out so large an inferred type.
export const productApi: Api<typeof productSchemas> = defineApi<typeof productSchemas>({
  page: products.page(),
  list: products.options(),
  get: products.get(),
  create: products.create(),
  /** Node type and authentication cannot change after publication. */
  update: products.update(),
  remove: products.remove(),
  removeMany: products.removeMany(),
  exportRows: products.exportRows(),
  importRows: products.importRows(),
  setStatus: {
    method: 'POST',
    path: '/v1/product/{id}/status',
    title: '发布或停用产品',
    permission: 'deviceAccess:product:publish',
    owner: 'platform',
  },
  /** Changes each product as a single call would. */
  setStatusOfMany: {
    method: 'POST',
    path: '/v1/product/status',
    title: '批量发布或停用产品',
    permission: 'deviceAccess:product:publish',
    owner: 'platform',
  },
  /** Compares the model with what the devices of the product have posted, before it is published. */
  publishCheck: {
    method: 'GET',
    path: '/v1/product/{id}/publish-check',
    title: '产品发布检查',
    permission: queryPermission,
  },
  /** Creates a product in development with the same functions. */
  copy: {
    method: 'POST',
    path: '/v1/product/{id}/copy',
    title: '复制产品',
    permission: 'deviceAccess:product:add',
    owner: 'platform',
  },
  /** Saves all functions as a whole. A published product keeps the functions and types that devices use. */
  saveModel: {
    method: 'PUT',
    path: '/v1/product/{id}/model',
    title: '修改产品功能',
    permission: 'deviceAccess:product:edit',
    owner: 'platform',
  },
  /** Returns who uses a function in all projects, and why it cannot be removed. */
  functionUsage: {
    method: 'GET',
    path: '/v1/product/{id}/function-usage',
    title: '产品功能的使用情况',
    permission: 'deviceAccess:product:edit',
    owner: 'platform',
  },
  /** Removes a function of a published product that no device has used for a time. */
  dropFunction: {
    method: 'POST',
    path: '/v1/product/{id}/drop-function',
    title: '移除产品功能',
    permission: 'deviceAccess:product:edit',
    owner: 'platform',
  },
  /** Adopts the newest version of the category; the product's own changes stay. */
  follow: {
    method: 'POST',
    path: '/v1/product/{id}/follow',
    title: '采用品类版本',
    permission: 'deviceAccess:product:edit',
    owner: 'platform',
  },
  /** Returns where devices connect, and the first device that has reported. */
  access: {
    method: 'GET',
    path: '/v1/product/{id}/access',
    title: '产品接入信息',
    permission: queryPermission,
  },
  changes: {
    method: 'GET',
    path: '/v1/product/{id}/changes',
    title: '产品变更记录',
    permission: queryPermission,
  },
})
