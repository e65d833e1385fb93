import * as z from '../zod'
import { ThingModel } from '../thingModel/thingModel.schema'
import {
  row,
  Id,
  nameField,
  codeField,
  Description,
  Sort,
  revision,
  Time,
  SearchFilter,
  ById,
} from '../fields.schema'
import { rowKeys } from '../fields'
import { resourceSchemas } from '../resource.schema'

export const StandardCategory = z.object({
  code: z.string(),
  name: z.string(),
  group: z.string(),
  model: ThingModel,
})
export type StandardCategory = z.infer<typeof StandardCategory>

export const standardCategorySchemas = {
  list: { input: z.object({}), output: z.array(StandardCategory) },
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

export const productCategorySchemas = {
  list: { input: z.object({}), output: z.array(ProductCategory) },
  create: resourceSchemas.create({ input: ProductCategoryDraft, output: ProductCategory }),
  update: resourceSchemas.update({ input: ProductCategoryChange, output: ProductCategory }),
  remove: resourceSchemas.remove(),
  removeMany: resourceSchemas.removeMany(),
  exportRows: resourceSchemas.exportRows({ input: { name: SearchFilter.optional() } }),
  importRows: resourceSchemas.importRows(),
  get: resourceSchemas.get({ output: CategoryDetail }),
  saveModel: { input: z.object({ ...revision, model: ThingModel }), output: CategoryDetail },
  publish: {
    input: z.object({ ...revision, note: CategoryVersion.shape.note }),
    output: CategoryDetail,
  },
  versions: { input: ById, output: z.array(CategoryVersion) },
  move: {
    input: z.object({ id: Id, parentId: Id.nullable(), index: z.number().int().min(0) }),
    output: z.null(),
  },
  copyStandard: {
    input: z.object({
      parentId: Id.nullable(),
      codes: z.array(z.string().max(64)).min(1, '请选择品类').max(100),
    }),
    output: z.object({ copied: z.number().int(), kept: z.array(z.string()) }),
  },
}
