import { exampleDataApi } from '@iot/shared/contract/project/exampleData.api'
import { exampleDataSchemas } from '@iot/shared/contract/project/exampleData.schema'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../core/http/serve'
import { clearExample, previewClearing } from './clear'
import { exampleDataQueries } from './queries'

const entity = '示例数据'

export function exampleDataRoutes(app: FastifyInstance) {
  const queries = exampleDataQueries(app.db)

  serve(app, exampleDataApi, exampleDataSchemas, {
    async read() {
      const site = await queries.findSite()
      return {
        addedTime: site?.createTime ?? null,
        clearedBy: site?.clearedBy ?? '',
        clearedTime: site?.clearedTime ?? null,
        rowCount: await queries.countRows(),
      }
    },
    preview: (_, context) => previewClearing(app.db, app.references, context),
    async clear(_, context) {
      const { example } = app.settings
      // The simulated devices leave first, so that none of their reports waits for a row that is being removed.
      await example?.stop()
      await app.devices.states.flush()
      const identities = await queries.listDeviceIdentities()
      const outcome = await context.write(exampleDataQueries, async (rows, recordChange, tx) => {
        const result = await clearExample(tx, app.references, context)
        await rows.markCleared(context.user.username)
        recordChange({ entity, id: '', name: entity })
        return result
      })
      await app.devices.forget(identities, true)
      await app.alarms.applyChanges()
      // The rows are removed; a device that cannot connect again must not look like a failure of that.
      await example?.start(app.db).catch((error: Error) => app.reportError('server', error))
      return outcome
    },
  })
}
