import { deviceImportMax, DeviceLine, managedDeviceApi } from '@iot/shared/contract/managedDevice'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { refused } from '../../core/refusal'
import type { Change } from '../../core/serve/actionLog'
import type { Context } from '../../core/serve/context'
import { changeFrom } from '../../core/serve/savedRow'
import { bulkImporter, type ImportInput, type Line } from '../../core/tasks/import'
import {
  assertAsPreviewed,
  outcomeOfUpdate,
  reasonOf,
  type Outcome,
} from '../../core/tasks/importRows'
import type { Note } from '../../core/tasks/importTask'
import { sheetOf } from '../../core/tasks/sheet'
import { secretOf } from '../../device-access/registration'
import { mustView } from '../device/policy'
import { projectMustAllow } from '../project/policy'
import { keepBefore } from '../snapshot/policy'
import { about, deviceActions, entity } from './actions'
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

type Input = ImportInput & { projectId: number }
type DeviceRowLine = Line<typeof DeviceLine>
type Known = {
  products: Awaited<ReturnType<ReturnType<typeof managedDeviceQueries>['products']>>
  placeOf: ReturnType<typeof placesOf>
}

/** Registers devices in bulk. A collision is reported with the other row or the name of the existing device. */
export function importDevices(app: FastifyInstance) {
  const queries = managedDeviceQueries(app.db)
  return bulkImporter(
    app,
    managedDeviceApi.importRows,
    { entity, schema: DeviceLine, sheet, most: deviceImportMax, update: managedDeviceApi.update },
    async (input: Input, context) => {
      const { projectId } = input
      mustView(context, projectId)
      await projectMustAllow(app.db, projectId, 'register')
      await app.devices.states.flush()
      const products = await queries.products()
      const placeOf = placesOf(await queries.spaces(projectId))
      const planned = createPlanner({ products, placeOf })

      return {
        head,
        stored: async (ids: string[]) => app.devices.forget(await queries.identities(ids), false),
        async take(lines, note, tx, count) {
          const rows = managedDeviceQueries(tx)
          const all = lines.map(planned)
          const holders = await rows.namesOf(all.flatMap(({ secret }) => secret ?? []))
          const isUpdate = ({ key = '', line }: Planned) =>
            input.existing === 'update' &&
            line.plan?.action !== 'create' &&
            (holders.get(key)?.projectId === projectId || line.plan?.action === 'update')
          if (count === 0 && all.some(({ key }) => key !== undefined && !holders.has(key)))
            await keepBefore(tx, projectId, '导入设备', context.user.username)
          const fresh = all.flatMap((one) => (one.row && !isUpdate(one) ? [one] : []))
          const created = await registerFresh(fresh, projectId, note, tx, context)
          const outcomes: Outcome[] = []
          const changedIds: string[] = []
          for (const one of all) {
            if (!one.row || !isUpdate(one)) {
              outcomes.push(one.why === undefined ? created.outcomeOf(one) : refusal(one.why))
              continue
            }
            const id = holders.get(one.key!)?.id
            const outcome = await updateDevice(app, one, id, note, tx, context)
            outcomes.push(outcome)
            if (id && outcome.action === 'update') changedIds.push(id)
          }
          return { outcomes, changedIds, secrets: created.secrets }
        },
      }
    },
  )
}

const refusal = (note: string): Outcome => ({ action: 'refuse', note })

/** Checks a row without a look at existing devices. */
function createPlanner({ products, placeOf }: Known) {
  const lines = new Map<string, number>()
  return (line: DeviceRowLine) => {
    const { draft } = line
    const { product, why } = productNamed(products, draft.productName)
    if (!product) return { line, why }
    if (product.status === 'disabled')
      return { line, why: `产品“${draft.productName}”已停用，不能登记设备` }
    const place = placeOf(draft.place)
    if (!place) return { line, why: noPlace(draft.place) }
    const { productKey } = product
    const { name, deviceName, protected: isProtected } = draft
    const key = `${productKey}&${deviceName}`
    const earlier = lines.get(key)
    // A retry passes the same line again, so only an earlier line is a duplicate.
    if (earlier !== undefined && earlier < line.line)
      return { line, why: `DeviceName“${deviceName}”与第 ${earlier} 行重复` }
    lines.set(key, line.line)
    const secret = { productKey, deviceName, deviceSecret: secretOf() }
    const row = { ...place, id: uuidv7(), name, deviceName, protected: isProtected }
    return { line, key, secret, row: { ...row, productId: product.id } }
  }
}
type Planned = ReturnType<ReturnType<typeof createPlanner>>
type Fresh = Extract<Planned, { row: object }>

async function registerFresh(
  fresh: Fresh[],
  projectId: number,
  note: Note,
  tx: Db,
  { user, seesProject }: Context,
) {
  const rows = managedDeviceQueries(tx)
  const made = await rows.registerAll(
    fresh.map(({ row, secret }) => ({ ...row, ...secret, projectId })),
    user.username,
  )
  const others = fresh.filter(({ row }) => !made.has(row.id))
  const holders = await rows.namesOf(others.map(({ secret }) => secret))
  const entered = fresh.filter(({ row }) => made.has(row.id))
  for (const { row, line } of entered) note(about(row, { after: { ...line.draft, projectId } }))
  return {
    outcomeOf({ row, key = '' }: Planned): Outcome {
      if (row && made.has(row.id)) return { action: 'create', note: '' }
      const holder = holders.get(key)
      const whose = holder && seesProject(holder.projectId) ? `（设备“${holder.name}”）` : ''
      return refusal(`DeviceName“${row?.deviceName}”已被使用${whose}`)
    },
    secrets: entered.map(({ row, secret }) => [
      row.name,
      secret.productKey,
      secret.deviceName,
      secret.deviceSecret,
    ]),
  }
}

async function updateDevice(
  app: FastifyInstance,
  { row, line }: Fresh,
  id: string | undefined,
  note: Note,
  tx: Db,
  context: Context,
): Promise<Outcome> {
  try {
    const before = id ? await managedDeviceQueries(tx).get(id) : undefined
    assertAsPreviewed(line, before)
    if (!before) throw refused('这台设备已被删除')
    const changes: Change[] = []
    const { name, spaceId, protected: isProtected } = row
    const change = { name, spaceId, protected: isProtected }
    const wanted = changeFrom(managedDeviceApi.update, before, change)
    const { updating } = deviceActions(app)
    await tx.transaction((inner) =>
      updating(wanted, context)(
        managedDeviceQueries(inner as Db),
        (one) => changes.push(one),
        inner as Db,
      ),
    )
    changes.forEach(note)
    return outcomeOfUpdate(before, changes)
  } catch (error) {
    return refusal(reasonOf(error))
  }
}
