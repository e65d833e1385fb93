import * as z from '../zod'
import {
  row,
  nameField,
  Id,
  Picture,
  Description,
  SearchFilter,
  revision,
  RowIds,
  RowResults,
  ById,
  Time,
} from '../fields.schema'
import { rowKeys } from '../fields'
import { ThingModel } from '../thingModel/thingModel.schema'
import { ProductControl } from './controlType.schema'
import { CommunicationProtocol } from './communicationProtocol.schema'
import { ConnectionRefusal } from '../device/connectionRefusal.schema'
import { FieldChange } from '../access/actionLog.schema'
import { resourceSchemas } from '../resource.schema'
import { productTitles } from './product'

export const ProductStatus = z
  .enum(['developing', 'published', 'disabled'])
  .meta({ title: productTitles.status })
export type ProductStatus = z.infer<typeof ProductStatus>
export const ProductNodeType = z
  .enum(['direct', 'gateway', 'sub'], '请选择节点类型')
  .meta({ title: productTitles.node })
export const AuthType = z
  .enum(['deviceSecret', 'productSecret'], '请选择认证方式')
  .meta({ title: '认证方式' })
export const DataFormat = z.enum(['alink', 'custom'], '请选择数据格式').meta({ title: '数据格式' })

export const Product = z.object({
  ...row,
  name: nameField(productTitles.name),
  productKey: z.string().meta({ title: productTitles.productKey }),
  /** The model number is empty for products created before model numbers existed. */
  modelNo: z.string().max(64).meta({ title: productTitles.modelNo }),
  manufacturerId: z.uuid('请选择厂商').nullable().meta({ title: '厂商' }),
  manufacturerName: z.string().meta({ title: productTitles.manufacturerName }),
  brandId: Id.nullable().meta({ title: '品牌' }),
  brandName: z.string().meta({ title: '品牌' }),
  categoryId: Id.nullable().meta({ title: '品类' }),
  categoryName: z.string().meta({ title: productTitles.categoryName }),
  /** The product follows this version of its category; 0 if it follows none. */
  categoryVersion: z.number().int().meta({ title: '跟随的品类版本' }),
  productType: z
    .string('请选择产品类型')
    .min(1, '请选择产品类型')
    .regex(/^[A-Z][A-Z0-9_]{1,63}$/, '产品类型以大写字母开头，只用大写字母、数字和下划线')
    .max(64)
    .meta({ title: '产品类型' }),
  node: ProductNodeType,
  net: z.string('请选择联网方式').min(1, '请选择联网方式').max(32).meta({ title: '联网方式' }),
  /** The code refers to a communication protocol; it is empty for none. */
  protocol: z.string().max(64).meta({ title: productTitles.protocol }),
  /** The codes refer to control types. */
  controlTypes: z.array(z.string().max(64)).max(20).meta({ title: productTitles.controlTypes }),
  authType: AuthType,
  dataFormat: DataFormat,
  ratedPower: z
    .number()
    .min(0, '额定功率不能小于 0')
    .max(1e9, '额定功率过大')
    .nullable()
    .meta({ title: '额定功率 (W)' }),
  ratedLifeHours: z
    .number()
    .int('额定寿命须为整数')
    .min(0, '额定寿命不能小于 0')
    .max(10_000_000, '额定寿命过大')
    .nullable()
    .meta({ title: '额定寿命 (小时)' }),
  icon: z.string().max(64).meta({ title: '图标' }),
  picture: Picture.meta({ title: '图片' }),
  description: Description,
  status: ProductStatus,
  deviceCount: z.number().int().meta({ title: productTitles.deviceCount }),
})
export type Product = z.infer<typeof Product>
export const ProductDraft = Product.omit({
  ...rowKeys,
  productKey: true,
  manufacturerName: true,
  brandName: true,
  categoryName: true,
  categoryVersion: true,
  status: true,
  deviceCount: true,
}).extend({
  modelNo: nameField(productTitles.modelNo),
  manufacturerId: z.uuid('请选择厂商').meta({ title: '厂商' }),
})
export type ProductDraft = z.infer<typeof ProductDraft>

/**
 * A product with its functions, the category version it follows, the newest category version, and texts of its lists.
 */
export const ProductDetail = Product.extend({
  model: ThingModel,
  followed: ThingModel.nullable(),
  newest: z.object({ number: z.number().int(), model: ThingModel }).nullable(),
  /** The order is that of `controlTypes`. */
  controls: z.array(ProductControl),
  speaks: CommunicationProtocol.pick({
    name: true,
    transport: true,
    protocolVersion: true,
    parameters: true,
    document: true,
  }).nullable(),
})
export type ProductDetail = z.infer<typeof ProductDetail>

const FunctionIdentifier = z
  .string('请选择功能')
  .min(1, '请选择功能')
  .max(64)
  .meta({ title: '功能' })
const filters = {
  name: SearchFilter.optional(),
  categoryId: Id.optional(),
  manufacturerId: Id.optional(),
  node: ProductNodeType.optional(),
  status: ProductStatus.optional(),
  controlType: z.string().max(64).optional(),
  protocol: z.string().max(64).optional(),
}

export const productSchemas = {
  page: resourceSchemas.page({ input: filters, output: Product }),
  list: resourceSchemas.options({
    output: Product.pick({
      id: true,
      name: true,
      modelNo: true,
      productKey: true,
      node: true,
      status: true,
      authType: true,
    }),
  }),
  get: resourceSchemas.get({ output: ProductDetail }),
  create: resourceSchemas.create({ input: ProductDraft, output: ProductDetail }),
  update: resourceSchemas.update({ input: ProductDraft.extend(revision), output: ProductDetail }),
  remove: resourceSchemas.remove(),
  removeMany: resourceSchemas.removeMany(),
  exportRows: resourceSchemas.exportRows({ input: filters }),
  importRows: resourceSchemas.importRows(),
  setStatus: {
    input: z.object({ ...revision, status: z.enum(['published', 'disabled']) }),
    output: ProductDetail,
  },
  setStatusOfMany: {
    input: RowIds.extend({ status: z.enum(['published', 'disabled']) }),
    output: RowResults,
  },
  publishCheck: {
    input: ById,
    output: z.object({
      /** Required functions that the model lacks, one sentence per control type; the product cannot be published. */
      missing: z.array(z.string()),
      /** Posted values that do not fit the model, with the number of devices that posted them. */
      dropped: z.array(
        z.object({
          identifier: z.string(),
          reason: z.string(),
          deviceCount: z.number().int(),
          /** A few names, the newest first. */
          devices: z.array(z.string()),
          lastTime: Time,
        }),
      ),
      /** Properties that none of the devices has reported so far, although some have reported others. */
      silent: z.array(z.object({ identifier: z.string(), name: z.string() })),
      deviceCount: z.number().int(),
      reportingCount: z.number().int(),
    }),
  },
  copy: {
    input: ById.extend({ name: ProductDraft.shape.name, modelNo: ProductDraft.shape.modelNo }),
    output: ProductDetail,
  },
  saveModel: { input: z.object({ ...revision, model: ThingModel }), output: ProductDetail },
  functionUsage: {
    input: ById.extend({ identifier: FunctionIdentifier }),
    output: z.object({
      kind: z.enum(['properties', 'services', 'events']),
      name: z.string(),
      /** The last time that any device reported or received it; null if none ever did. */
      lastTime: Time.nullable(),
      deviceCount: z.number().int(),
      devices: z.array(z.string()),
      /** Rows that set or read the function. */
      references: z.array(z.object({ id: z.string(), name: z.string(), entity: z.string() })),
      /** Control types that need it. */
      requiredBy: z.array(z.string()),
      /** Why it cannot be removed now. */
      refusal: z.string().nullable(),
    }),
  },
  dropFunction: {
    input: z.object({ ...revision, identifier: FunctionIdentifier }),
    output: ProductDetail,
  },
  follow: {
    input: z.object({ ...revision, number: z.number().int().min(1) }),
    output: ProductDetail,
  },
  access: {
    input: ById,
    output: z.object({
      /** URL of an external broker; null means the host of the platform. */
      mqttUrl: z.string().nullable(),
      mqttPort: z.number().int().nullable(),
      heard: z.object({ name: z.string(), deviceName: z.string(), time: Time }).nullable(),
      /** Newest refused connections with this ProductKey. */
      refusals: z.array(ConnectionRefusal),
    }),
  },
  changes: {
    input: ById,
    output: z.array(
      z.object({
        id: Id,
        time: Time,
        username: z.string(),
        verb: z.string(),
        ok: z.boolean(),
        reason: z.string(),
        changes: z.array(FieldChange),
      }),
    ),
  },
}
