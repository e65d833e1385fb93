import { resource } from './resource'
import { defineApi } from './endpoint'
import type { productSchemas } from './product.schema'

const products = resource('deviceAccess', 'product', '产品', 'platform')
const queryPermission = 'deviceAccess:product:query'

export const productApi = defineApi<typeof productSchemas>({
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
