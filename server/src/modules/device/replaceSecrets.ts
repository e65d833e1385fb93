import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/http/context'
import { createMissingRefusal } from '../../core/refusal'
import { startUserTask } from '../../core/tasks/startUserTask'
import { createWorkbook } from '../../core/tasks/sheetFile'
import type { TaskContext } from '../../core/tasks/taskRunner'
import { createSecret } from '../../device-access/registration/registration'
import { entity, findVisibleDevices } from './actions'
import { managedDeviceQueries } from './queries'

/** Titles of a file with one-time secrets. */
export const secretColumns = ['设备名称', 'ProductKey', 'DeviceName', 'DeviceSecret']
const maxShownFailures = 50
const missingReason = '已被删除，或不在可见的项目里'

/**
 * Creates the handler that replaces the secrets of many devices by one task. All secrets are replaced in one
 * transaction, after the file with the new ones has been written, so that no device is left with a secret that nobody
 * knows.
 */
export const createReplaceSecretsHandler =
  (app: FastifyInstance) =>
  async ({ ids: requestedIds }: { ids: string[] }, context: Context) => {
    const ids = [...new Set(requestedIds)]
    const devices = await findVisibleDevices(ids, context, managedDeviceQueries(app.db))
    if (devices.length === 0) throw createMissingRefusal(entity)
    context.recordChange({ entity, id: '', name: `${devices[0]!.name} 等 ${devices.length} 台` })
    const draft = { kind: 'export' as const, title: managedDeviceApi.replaceSecrets.title }
    return startUserTask(app, context, { ...draft, total: ids.length }, (taskContext) =>
      replaceSecrets(app, ids, context, taskContext),
    )
  }

async function replaceSecrets(
  app: FastifyInstance,
  ids: string[],
  context: Context,
  { progress, keepSecrets }: TaskContext,
) {
  const { identities, file, failures } = await context.write(
    managedDeviceQueries,
    async (rows, recordAudit, tx) => {
      const devices = await findVisibleDevices(ids, context, rows)
      const identities = await rows.findIdentities(devices.map(({ id }) => id))
      const nameById = new Map(devices.map(({ id, name }) => [id, name]))
      const secrets = identities.map((identity) => ({ ...identity, deviceSecret: createSecret() }))
      await rows.replaceSecrets(secrets)
      for (const { id, deviceSecret } of secrets)
        recordAudit({ entity, id, name: nameById.get(id)!, after: { 设备密钥: deviceSecret } })
      const replacedIds = new Set(identities.map(({ id }) => id))
      const failures = ids.flatMap((id, i) =>
        replacedIds.has(id)
          ? []
          : [{ line: i + 1, name: nameById.get(id) ?? '', reason: missingReason }],
      )
      const counts = { success: secrets.length, failed: failures.length }
      const lines = secrets.map(({ id, productKey, deviceName, deviceSecret }) => [
        nameById.get(id)!,
        productKey,
        deviceName,
        deviceSecret,
      ])
      const file = await keepSecrets(
        '设备密钥.xlsx',
        await createWorkbook([secretColumns, ...lines]),
      )
      await progress({ counts }, tx)
      return { identities, file, failures }
    },
  )
  app.devices.endCalls(identities, '等待应答时设备已更换密钥')
  await app.devices.forget(identities, true)
  return { secrets: file, detail: { failures: failures.slice(0, maxShownFailures) } }
}
