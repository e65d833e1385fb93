import { EdgeHostFileRow, edgeHostSchemas } from '@iot/shared/contract/device/edgeHost.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { edgeHostApi } from '@iot/shared/contract/device/edgeHost.api'
import type { FastifyInstance } from 'fastify'
import { buildChangeFromLine } from '../../../core/http/updateHandlers'
import { createImportHandler, type ImportPortion } from '../../../core/tasks/import'
import type { ImportInput } from '../../../core/tasks/serveImport'
import { snapshotBefore } from '../../snapshot/policy'
import { resolveProduct } from '../policy/management'
import { entity, loadHost, prepareCreate, prepareUpdate } from './actions'
import { edgeHostQueries } from './queries'
import { hasNewHosts, loadImportLookups, resolveDraft, secretColumns, sheet } from './sheet'

type HostImportInput = ImportInput & { projectId: number }

/** Registers and updates edge hosts from a file. */
export const importHosts = (app: FastifyInstance, forgetHosts: (ids: string[]) => Promise<void>) =>
  createImportHandler(app, edgeHostApi.importRows, {
    entity,
    // An edge host is removed as the device that it is.
    removal: managedDeviceApi.removeMany,
    schema: EdgeHostFileRow,
    sheet,
    createQueries: edgeHostQueries,
    secrets: { name: '密钥', head: secretColumns },
    async preload(
      rows,
      {
        drafts,
        importedCount,
        input,
        by: actor,
      }: ImportPortion<typeof EdgeHostFileRow, HostImportInput>,
      tx,
    ) {
      const { projectId } = input
      const lookups = await loadImportLookups(projectId, rows)
      if (importedCount === 0 && (await hasNewHosts(drafts, lookups, rows)))
        await snapshotBefore(tx, projectId, `导入${entity}`, actor)
      return lookups
    },
    create:
      (line, actor, _, { projectId }: HostImportInput, lookups) =>
      async (rows, recordAudit, tx) => {
        const draft = { ...resolveDraft(line, lookups), projectId }
        const hostSecret = await prepareCreate(draft, actor)(rows, recordAudit, tx)
        return [
          hostSecret.name,
          hostSecret.productKey,
          hostSecret.deviceName,
          hostSecret.deviceSecret,
        ]
      },
    existing: {
      endpoint: edgeHostApi.update,
      key: ({ productName, deviceName }) => JSON.stringify([productName, deviceName]),
      async find({ productName, deviceName }, { rows, preloaded, input: { projectId } }) {
        const { product } = resolveProduct(preloaded.products, productName)
        const row = product && (await rows.findByName(product.productKey, deviceName))
        return row?.projectId === projectId ? loadHost(row, rows) : undefined
      },
      change: (previousHost, line, { preloaded, context }) => {
        const { productId: _, ...draft } = resolveDraft(line as EdgeHostFileRow, preloaded)
        return prepareUpdate(
          buildChangeFromLine(edgeHostSchemas.update, previousHost, draft),
          context,
        )
      },
      onStored: forgetHosts,
    },
  })
