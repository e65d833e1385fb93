import { deviceImportMax } from '@iot/shared/contract/device/managedDevice'
import {
  DeviceFileRow,
  managedDeviceSchemas,
} from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { createRefusal } from '../../core/refusal'
import type { Change } from '../../core/http/actionLog'
import type { Context } from '../../core/http/context'
import { buildChangeFromLine } from '../../core/http/updateHandlers'
import { createBulkImportHandler, type ImportLine } from '../../core/tasks/bulkImport'
import type { ImportInput } from '../../core/tasks/serveImport'
import {
  assertUnchangedSincePreview,
  getUpdateOutcome,
  getRefusalReason,
  type RowOutcome,
} from '../../core/tasks/importRows'
import type { RecordChange } from '../../core/tasks/importJob'
import type { FormerRow } from '../../core/tasks/importUndo'
import { createSheetColumns } from '../../core/tasks/sheet'
import { createSecret } from '../../device-access/registration/registration'
import { assertCanView } from './policy/scope'
import { assertProjectAllows } from '../project/policy'
import { snapshotBefore } from '../snapshot/policy'
import { toDeviceAuditEntry, createDeviceActions, entity } from './actions'
import { formatUnknownPlace, createPlaceResolver, resolveProduct } from './policy/management'
import { managedDeviceQueries } from './queries'
import { secretColumns } from './replaceSecrets'

const sheet = createSheetColumns(DeviceFileRow, {
  name: '1 层走廊灯 01',
  deviceName: 'lamp-a1-001',
  productName: '安全照明灯',
  place: '科创大厦 A 座 / 1 层 / 走廊',
  protected: { example: '否' },
})

type DeviceImportInput = ImportInput & { projectId: number }
type DeviceImportLine = ImportLine<typeof DeviceFileRow>
type ImportLookups = {
  products: Awaited<ReturnType<ReturnType<typeof managedDeviceQueries>['listProducts']>>
  resolvePlace: ReturnType<typeof createPlaceResolver>
}

/** Registers devices in bulk. A collision is reported with the other row or the name of the existing device. */
export function importDevices(app: FastifyInstance) {
  const queries = managedDeviceQueries(app.db)
  return createBulkImportHandler(
    app,
    managedDeviceApi.importRows,
    {
      entity,
      schema: DeviceFileRow,
      sheet,
      most: deviceImportMax,
      update: managedDeviceApi.update,
      removal: managedDeviceApi.removeMany,
    },
    async (input: DeviceImportInput, context) => {
      const { projectId } = input
      assertCanView(context, projectId)
      await assertProjectAllows(app.db, projectId, 'register')
      await app.devices.states.flush()
      const products = await queries.listProducts()
      const resolvePlace = createPlaceResolver(await queries.spaces(projectId))
      const planRow = createPlanner({ products, resolvePlace })

      return {
        head: secretColumns,
        onStored: async (ids: string[]) =>
          app.devices.forget(await queries.findIdentities(ids), false),
        async importLines(lines, recordAudit, tx, count) {
          const rows = managedDeviceQueries(tx)
          const plannedRows = lines.map(planRow)
          const existingByKey = await rows.findByIdentities(
            plannedRows.flatMap(({ secret }) => secret ?? []),
          )
          const isUpdate = ({ key = '', line }: PlannedRow) =>
            input.existing === 'update' &&
            line.plan?.action !== 'create' &&
            (existingByKey.get(key)?.projectId === projectId || line.plan?.action === 'update')
          if (
            count === 0 &&
            plannedRows.some(({ key }) => key !== undefined && !existingByKey.has(key))
          )
            await snapshotBefore(tx, projectId, '导入设备', context.user.username)
          const newRows = plannedRows.flatMap((row) => (row.row && !isUpdate(row) ? [row] : []))
          const registration = await registerNewRows(newRows, projectId, recordAudit, tx, context)
          const outcomes: RowOutcome[] = []
          const formerRows: FormerRow[] = []
          for (const candidate of plannedRows) {
            if (!candidate.row || !isUpdate(candidate)) {
              outcomes.push(
                candidate.why === undefined
                  ? registration.getOutcome(candidate)
                  : toRefusedOutcome(candidate.why),
              )
              continue
            }
            const id = existingByKey.get(candidate.key!)?.id
            const { former, ...outcome } = await updateDevice(
              app,
              candidate,
              id,
              recordAudit,
              tx,
              context,
            )
            outcomes.push(outcome)
            if (former && outcome.action === 'update') formerRows.push(former)
          }
          return { outcomes, formerRows, secrets: registration.secrets }
        },
      }
    },
  )
}

const toRefusedOutcome = (note: string): RowOutcome => ({ action: 'refuse', note })

/** Checks a row without a look at existing devices. */
function createPlanner({ products, resolvePlace }: ImportLookups) {
  const lineByKey = new Map<string, number>()
  return (line: DeviceImportLine) => {
    const { draft } = line
    const { product, why } = resolveProduct(products, draft.productName)
    if (!product) return { line, why }
    if (product.status === 'disabled')
      return { line, why: `产品“${draft.productName}”已停用，不能登记设备` }
    const place = resolvePlace(draft.place)
    if (!place) return { line, why: formatUnknownPlace(draft.place) }
    const { productKey } = product
    const { name, deviceName, protected: isProtected } = draft
    const key = `${productKey}&${deviceName}`
    const earlierLine = lineByKey.get(key)
    // A retry passes the same line again, so only an earlier line is a duplicate.
    if (earlierLine !== undefined && earlierLine < line.line)
      return { line, why: `DeviceName“${deviceName}”与第 ${earlierLine} 行重复` }
    lineByKey.set(key, line.line)
    const secret = { productKey, deviceName, deviceSecret: createSecret() }
    const row = { ...place, id: uuidv7(), name, deviceName, protected: isProtected }
    return { line, key, secret, row: { ...row, productId: product.id } }
  }
}
type PlannedRow = ReturnType<ReturnType<typeof createPlanner>>
type NewRow = Extract<PlannedRow, { row: object }>

async function registerNewRows(
  newRows: NewRow[],
  projectId: number,
  recordAudit: RecordChange,
  tx: Db,
  { user, seesProject }: Context,
) {
  const rows = managedDeviceQueries(tx)
  const createdIds = await rows.registerAll(
    newRows.map(({ row, secret }) => ({ ...row, ...secret, projectId })),
    user.username,
  )
  const rejectedRows = newRows.filter(({ row }) => !createdIds.has(row.id))
  const existingByKey = await rows.findByIdentities(rejectedRows.map(({ secret }) => secret))
  const createdRows = newRows.filter(({ row }) => createdIds.has(row.id))
  for (const { row, line } of createdRows)
    recordAudit(toDeviceAuditEntry(row, { after: { ...line.draft, projectId } }))
  return {
    getOutcome({ row, key = '' }: PlannedRow): RowOutcome {
      if (row && createdIds.has(row.id)) return { action: 'create', note: '' }
      const existing = existingByKey.get(key)
      const holderNote =
        existing && seesProject(existing.projectId) ? `（设备“${existing.name}”）` : ''
      return toRefusedOutcome(`DeviceName“${row?.deviceName}”已被使用${holderNote}`)
    },
    secrets: createdRows.map(({ row, secret }) => [
      row.name,
      secret.productKey,
      secret.deviceName,
      secret.deviceSecret,
    ]),
  }
}

async function updateDevice(
  app: FastifyInstance,
  { row, line }: NewRow,
  id: string | undefined,
  recordAudit: RecordChange,
  tx: Db,
  context: Context,
): Promise<RowOutcome & { former?: FormerRow }> {
  try {
    const previousDevice = id ? await managedDeviceQueries(tx).get(id) : undefined
    assertUnchangedSincePreview(line, previousDevice)
    if (!previousDevice) throw createRefusal('这台设备已被删除')
    const changes: Change[] = []
    const { name, spaceId, protected: isProtected } = row
    const change = { name, spaceId, protected: isProtected }
    const updateInput = buildChangeFromLine(managedDeviceSchemas.update, previousDevice, change)
    const { prepareUpdate } = createDeviceActions(app)
    await tx.transaction((innerTx) =>
      prepareUpdate(updateInput, context)(
        managedDeviceQueries(innerTx as Db),
        (item) => changes.push(item),
        innerTx as Db,
      ),
    )
    changes.forEach(recordAudit)
    return { ...getUpdateOutcome(previousDevice, changes), former: previousDevice }
  } catch (error) {
    return toRefusedOutcome(getRefusalReason(error))
  }
}
