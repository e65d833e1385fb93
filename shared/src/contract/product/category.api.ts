import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { standardCategorySchemas, productCategorySchemas } from './category.schema'

export const standardCategoryApi = defineApi<typeof standardCategorySchemas>({
  list: {
    method: 'GET',
    path: '/v1/product-standard-category/list',
    title: '标准品类库',
    permission: 'session',
  },
})

const categories = resource('deviceAccess', 'productCategory', '品类', 'platform')
const editPermission = 'deviceAccess:productCategory:edit'

export const productCategoryApi = defineApi<typeof productCategorySchemas>({
  /** Returns the whole tree as flat rows, parents before children. */
  list: {
    method: 'GET',
    path: '/v1/product-category/list',
    title: '品类列表',
    permission: 'deviceAccess:productCategory:list',
  },
  create: categories.create(),
  update: categories.update(),
  remove: categories.remove(),
  removeMany: categories.removeMany(),
  exportRows: categories.exportRows(),
  importRows: categories.importRows(),
  get: categories.get(),
  /** Saves the draft of the functions as a whole, because a partial model cannot be validated. */
  saveModel: {
    method: 'PUT',
    path: '/v1/product-category/{id}/model',
    title: '修改品类功能',
    permission: editPermission,
    owner: 'platform',
  },
  publish: {
    method: 'POST',
    path: '/v1/product-category/{id}/publish',
    title: '发布品类版本',
    permission: 'deviceAccess:productCategory:publish',
    owner: 'platform',
  },
  /** Returns the newest version first. */
  versions: {
    method: 'GET',
    path: '/v1/product-category/{id}/versions',
    title: '品类版本',
    permission: 'deviceAccess:productCategory:query',
  },
  /** Moves `id` below `parentId`, before the sibling at `index`, and renumbers the siblings. Cycles are refused. */
  move: {
    method: 'POST',
    path: '/v1/product-category/move',
    title: '移动品类',
    permission: editPermission,
    owner: 'platform',
  },
  /** Copies categories of the standard library below an own category, each with its functions as a draft. */
  copyStandard: {
    method: 'POST',
    path: '/v1/product-category/copy-standard',
    title: '从标准品类库复制',
    permission: 'deviceAccess:productCategory:add',
    owner: 'platform',
  },
})
