import { createHash } from 'node:crypto'
import { iconVariants, type IconVariant } from '@iot/shared/contract/product/iconName'
import { uploadPath } from '@iot/shared/contract/platform/upload'
import { eq } from 'drizzle-orm'
import type { Db } from 'server/src/core/db/db'
import { copyStandardCategories } from 'server/src/modules/category/copyStandardCategories'
import { categoryQueries } from 'server/src/modules/category/queries'
import { standardCategories } from 'server/src/modules/category/standard'
import { brand } from 'server/src/tables/brand'
import { productCategory } from 'server/src/tables/category'
import { now } from 'server/src/tables/columns'
import { product } from 'server/src/tables/device'
import { icon } from 'server/src/tables/icon'
import { manufacturer } from 'server/src/tables/manufacturer'
import { uploadedFile } from 'server/src/tables/upload'
import { exampleAuthor } from 'server/src/modules/exampleData/kinds'
import { uuidv7 } from 'uuidv7'
import type { BuildingRows } from '../simulate-building/seed'
import { drawIcon, type IconShape } from './icons'
import { author, type Recorder } from './recorder'

/** Companies that do not exist, in places that do; `.example` is reserved for such names. */
const manufacturers = [
  {
    name: '粤明照明科技有限公司',
    shortName: '粤明照明',
    code: 'yueming',
    contact: '梁经理',
    areaCode: '442000',
    address: '古镇镇灯都大道 88 号',
    website: 'https://yueming.example',
    brands: [{ name: '粤明', englishName: 'Yueming', categories: ['Light', 'TunableLight'] }],
  },
  {
    name: '杭州感知电子有限公司',
    shortName: '感知电子',
    code: 'ganzhi',
    contact: '沈工',
    areaCode: '330108',
    address: '滨安路 1180 号',
    website: 'https://ganzhi.example',
    brands: [
      {
        name: '感知',
        englishName: 'Ganzhi',
        categories: ['TemperatureHumiditySensor', 'PresenceSensor'],
      },
    ],
  },
  {
    name: '江阴量安仪表有限公司',
    shortName: '量安仪表',
    code: 'liangan',
    contact: '徐主任',
    areaCode: '320281',
    address: '澄江中路 15 号',
    website: 'https://liangan.example',
    brands: [{ name: '量安', englishName: 'Liangan', categories: ['ElectricityMeter'] }],
  },
  {
    name: '深圳边联网络有限公司',
    shortName: '边联网络',
    code: 'bianlian',
    contact: '周工',
    areaCode: '440305',
    address: '科苑路 9 号',
    website: 'https://bianlian.example',
    brands: [{ name: '边联', englishName: 'EdgeLink', categories: ['EdgeGateway'] }],
  },
]

type ProductKind = keyof BuildingRows['products']
/** Category of the standard library, manufacturer and icon of each product. */
const productLinks: Record<
  ProductKind,
  { category: string; manufacturer: string; shape: IconShape; iconName: string }
> = {
  lamp: { category: 'Light', manufacturer: 'yueming', shape: 'light', iconName: '筒灯' },
  climate: {
    category: 'TemperatureHumiditySensor',
    manufacturer: 'ganzhi',
    shape: 'climate',
    iconName: '温湿度',
  },
  presence: {
    category: 'PresenceSensor',
    manufacturer: 'ganzhi',
    shape: 'presence',
    iconName: '人体存在',
  },
  meter: {
    category: 'ElectricityMeter',
    manufacturer: 'liangan',
    shape: 'meter',
    iconName: '电表',
  },
  edge: { category: 'EdgeGateway', manufacturer: 'bianlian', shape: 'gateway', iconName: '网关' },
}
/** Further categories that the next products would need. */
const otherCategories = ['TunableLight', 'IlluminanceSensor', 'Curtain', 'Thermostat']

async function addManufacturers(tx: Db, recorder: Recorder) {
  const rows = manufacturers.map(({ brands: _, ...fields }) => ({
    ...author,
    ...fields,
    id: uuidv7(),
    creditCode: '',
    phone: '',
    email: `service@${fields.code}.example`,
    logo: '',
    remark: '示例厂商，不是真实的公司',
    status: 'enabled' as const,
  }))
  await tx.insert(manufacturer).values(rows)
  recorder.add('manufacturer', rows)
  const brandRows = manufacturers.flatMap(({ brands }, index) =>
    brands.map((fields) => ({
      ...author,
      ...fields,
      id: uuidv7(),
      manufacturerId: rows[index]!.id,
      logo: '',
      servicePhone: '',
      website: rows[index]!.website,
      sort: index + 1,
      status: 'enabled' as const,
    })),
  )
  await tx.insert(brand).values(brandRows)
  recorder.add('brand', brandRows)
  return new Map(
    rows.map((row) => [
      row.code,
      {
        manufacturerId: row.id,
        brandId: brandRows.find(({ manufacturerId }) => manufacturerId === row.id)!.id,
      },
    ]),
  )
}

/** Stores a picture as the upload does: its id is the hash of its content. */
async function addPicture(tx: Db, shape: IconShape, variant: IconVariant) {
  const content = Buffer.from(drawIcon(shape, variant))
  const id = createHash('sha256').update(content).digest('hex').slice(0, 32)
  await tx
    .insert(uploadedFile)
    .values({
      id,
      name: `${shape}-${variant}.svg`,
      type: 'image/svg+xml',
      size: content.length,
      content,
      createBy: exampleAuthor,
      createTime: now(),
    })
    .onConflictDoNothing()
  return `${uploadPath}/${id}`
}

async function addIcons(tx: Db, recorder: Recorder) {
  const idByShape = new Map<IconShape, string>()
  for (const { shape, iconName } of Object.values(productLinks)) {
    const id = uuidv7()
    const pictures = {} as Record<IconVariant, string>
    for (const variant of iconVariants) pictures[variant] = await addPicture(tx, shape, variant)
    await tx.insert(icon).values({
      ...author,
      id,
      name: iconName,
      code: shape,
      group: shape === 'light' ? '照明' : '设备',
      ...pictures,
      tags: ['示例'],
      status: 'enabled',
    })
    recorder.add('icon', [{ id }])
    idByShape.set(shape, id)
  }
  return idByShape
}

async function addCategories(tx: Db, recorder: Recorder, icons: Map<IconShape, string>) {
  const links = Object.values(productLinks)
  const codes = [...links.map(({ category }) => category), ...otherCategories]
  const rows: { id: string; code: string }[] = []
  await copyStandardCategories(
    categoryQueries(tx),
    standardCategories.filter(({ code }) => codes.includes(code)),
    null,
    exampleAuthor,
    (row) => rows.push(row),
  )
  recorder.add('category', rows)
  for (const { category, shape } of links)
    await tx
      .update(productCategory)
      .set({ icon: icons.get(shape)! })
      .where(eq(productCategory.code, category))
  return new Map(rows.map(({ id, code }) => [code, id]))
}

/** Adds categories, manufacturers, brands and icons, and links the products of the building with them. */
export async function addCatalogue(tx: Db, { products }: BuildingRows, recorder: Recorder) {
  const makers = await addManufacturers(tx, recorder)
  const icons = await addIcons(tx, recorder)
  const categoryIds = await addCategories(tx, recorder, icons)
  for (const [kind, link] of Object.entries(productLinks))
    await tx
      .update(product)
      .set({
        ...makers.get(link.manufacturer)!,
        categoryId: categoryIds.get(link.category)!,
        categoryVersion: 1,
        icon: icons.get(link.shape)!,
      })
      .where(eq(product.id, products[kind as ProductKind].id))
}
