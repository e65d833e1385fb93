import { deviceImportMax, DeviceLine, managedDeviceApi } from '@iot/shared/contract/managedDevice'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import { bulkImporter } from '../../core/tasks/import'
import { sheetOf } from '../../core/tasks/sheet'
import { secretOf } from '../../device-access/registration'
import { mustView } from '../device/policy'
import { projectMustAllow } from '../project/policy'
import { keepBefore } from '../snapshot/policy'
import { about, entity } from './actions'
import { noPlace, placesOf, productNamed } from './policy'
import { managedDeviceQueries } from './queries'

const sheet = sheetOf(DeviceLine, {
  name: '1 层走廊灯 01',
  deviceName: 'lamp-a1-001',
  productName: '安全照明灯',
  place: '科创大厦 A 座 / 1 层 / 走廊',
  protected: { example: '否' },
})
const head = ['设备名称', 'ProductKey', 'DeviceName', 'DeviceSecret']

/** Registers devices in large numbers; whom a row collides with is said by its row, or by the name of the device. */
export function importDevices(app: FastifyInstance) {
  const queries = managedDeviceQueries(app.db)
  return bulkImporter(
    app,
    managedDeviceApi.importRows,
    { entity, schema: DeviceLine, sheet, most: deviceImportMax },
    async ({ projectId }: { projectId: number; table: string[][] }, context) => {
      mustView(context, projectId)
      await projectMustAllow(app.db, projectId, 'register')
      const products = await queries.products()
      const placeOf = placesOf(await queries.spaces(projectId))
      const lines = new Map<string, number>()
      const by = context.user.username

      /** What can be said of a row without asking who is there already. */
      function planned({ line, draft }: { line: number; draft: DeviceLine }) {
        const { product, why } = productNamed(products, draft.productName)
        if (!product) return { why }
        if (product.status === 'disabled')
          return { why: `产品“${draft.productName}”已停用，不能登记设备` }
        const place = placeOf(draft.place)
        if (!place) return { why: noPlace(draft.place) }
        const { productKey } = product
        const { name, deviceName, protected: isProtected } = draft
        const key = `${productKey}&${deviceName}`
        const earlier = lines.get(key)
        // Its own line where it is tried again.
        if (earlier !== undefined && earlier < line)
          return { why: `DeviceName“${deviceName}”与第 ${earlier} 行重复` }
        lines.set(key, line)
        const secret = { productKey, deviceName, deviceSecret: secretOf() }
        const row = { ...place, id: uuidv7(), name, deviceName, protected: isProtected }
        return { key, secret, row: { ...row, productId: product.id }, draft }
      }

      return {
        head,
        async create(rows, note, tx, count) {
          const all = rows.map(planned)
          const fresh = all.flatMap((one) => (one.row ? one : []))
          const inside = managedDeviceQueries(tx)
          if (count === 0) {
            const taken = await inside.namesOf(fresh.map(({ secret }) => secret))
            if (fresh.some(({ key }) => !taken.has(key)))
              await keepBefore(tx, projectId, '导入设备', by)
          }
          const made = await inside.registerAll(
            fresh.map(({ row, secret }) => ({ ...row, ...secret, projectId })),
            by,
          )
          const others = fresh.filter(({ row }) => !made.has(row.id))
          const names = await inside.namesOf(others.map(({ secret }) => secret))
          for (const { row, draft } of fresh)
            if (made.has(row.id)) note(about(row, { after: { ...draft, projectId } }))
          return {
            reasons: all.map((one) => {
              if (!one.row) return one.why
              if (made.has(one.row.id)) return undefined
              const holder = names.get(one.key)
              const whose =
                holder && context.seesProject(holder.projectId) ? `（设备“${holder.name}”）` : ''
              return `DeviceName“${one.row.deviceName}”已被使用${whose}`
            }),
            secrets: fresh
              .filter(({ row }) => made.has(row.id))
              .map(({ row, secret }) => [
                row.name,
                secret.productKey,
                secret.deviceName,
                secret.deviceSecret,
              ]),
          }
        },
      }
    },
  )
}
