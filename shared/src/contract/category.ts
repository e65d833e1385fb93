import { z } from 'zod'
import { endpoint } from './endpoint'
import {
  ById,
  codeField,
  Description,
  Id,
  nameField,
  revision,
  row,
  rowKeys,
  SearchFilter,
  Sort,
  Time,
} from './fields'
import { resource } from './resource'
import { ThingModel } from './thingModel'

export const StandardCategory = z.object({
  code: z.string(),
  name: z.string(),
  group: z.string(),
  model: ThingModel,
})
export type StandardCategory = z.infer<typeof StandardCategory>

export const standardCategoryApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/product-standard-category/list',
    title: '标准品类库',
    permission: 'session',
    input: z.object({}),
    output: z.array(StandardCategory),
  }),
}

export const ProductCategory = z.object({
  ...row,
  parentId: Id.nullable().meta({ title: '上级品类' }),
  name: nameField('品类名称'),
  code: codeField('品类编码'),
  icon: z.string().max(64).meta({ title: '图标' }),
  description: Description,
  sort: Sort,
  /** Number of functions in the draft. */
  functionCount: z.number().int().meta({ title: '功能数' }),
  productCount: z.number().int().meta({ title: '产品数' }),
  /** This is the latest published version of the functions; 0 before the first. */
  modelVersion: z.number().int().meta({ title: '已发布版本' }),
})
export type ProductCategory = z.infer<typeof ProductCategory>
export const ProductCategoryDraft = ProductCategory.omit({
  ...rowKeys,
  functionCount: true,
  productCount: true,
  modelVersion: true,
})
export type ProductCategoryDraft = z.infer<typeof ProductCategoryDraft>
/** The code never changes after creation. */
export const ProductCategoryChange = ProductCategoryDraft.omit({ code: true }).extend(revision)

/** Contains a category with the draft and the last published version of its functions. */
export const CategoryDetail = ProductCategory.extend({
  model: ThingModel,
  published: ThingModel.nullable(),
})
export type CategoryDetail = z.infer<typeof CategoryDetail>

/** A published version is immutable. */
export const CategoryVersion = z.object({
  number: z.number().int().meta({ title: '版本' }),
  note: z.string().trim().max(200, '说明最多 200 个字').meta({ title: '版本说明' }),
  createBy: z.string().meta({ title: '发布人' }),
  createTime: Time.meta({ title: '发布时间' }),
  model: ThingModel,
})
export type CategoryVersion = z.infer<typeof CategoryVersion>

const categories = resource('deviceAccess', 'productCategory', '品类', 'platform')
const editPermission = 'deviceAccess:productCategory:edit'

export const productCategoryApi = {
  /** Returns the whole tree as flat rows, parents before children. */
  list: endpoint({
    method: 'GET',
    path: '/v1/product-category/list',
    title: '品类列表',
    permission: 'deviceAccess:productCategory:list',
    input: z.object({}),
    output: z.array(ProductCategory),
  }),
  create: categories.create({ input: ProductCategoryDraft, output: ProductCategory }),
  update: categories.update({ input: ProductCategoryChange, output: ProductCategory }),
  remove: categories.remove(),
  removeMany: categories.removeMany(),
  exportRows: categories.exportRows({ input: { name: SearchFilter.optional() } }),
  importRows: categories.importRows(),
  get: categories.get({ output: CategoryDetail }),
  /** Saves the draft of the functions as a whole, because a partial model cannot be validated. */
  saveModel: endpoint({
    method: 'PUT',
    path: '/v1/product-category/{id}/model',
    title: '修改品类功能',
    permission: editPermission,
    owner: 'platform',
    input: z.object({ ...revision, model: ThingModel }),
    output: CategoryDetail,
  }),
  publish: endpoint({
    method: 'POST',
    path: '/v1/product-category/{id}/publish',
    title: '发布品类版本',
    permission: 'deviceAccess:productCategory:publish',
    owner: 'platform',
    input: z.object({ ...revision, note: CategoryVersion.shape.note }),
    output: CategoryDetail,
  }),
  /** Returns the newest version first. */
  versions: endpoint({
    method: 'GET',
    path: '/v1/product-category/{id}/versions',
    title: '品类版本',
    permission: 'deviceAccess:productCategory:query',
    input: ById,
    output: z.array(CategoryVersion),
  }),
  /** Moves `id` below `parentId`, before the sibling at `index`, and renumbers the siblings. Cycles are refused. */
  move: endpoint({
    method: 'POST',
    path: '/v1/product-category/move',
    title: '移动品类',
    permission: editPermission,
    owner: 'platform',
    input: z.object({ id: Id, parentId: Id.nullable(), index: z.number().int().min(0) }),
    output: z.null(),
  }),
  /** Copies categories of the standard library below an own category, each with its functions as a draft. */
  copyStandard: endpoint({
    method: 'POST',
    path: '/v1/product-category/copy-standard',
    title: '从标准品类库复制',
    permission: 'deviceAccess:productCategory:add',
    owner: 'platform',
    input: z.object({
      parentId: Id.nullable(),
      codes: z.array(z.string().max(64)).min(1, '请选择品类').max(100),
    }),
    output: z.object({ copied: z.number().int(), kept: z.array(z.string()) }),
  }),
}
