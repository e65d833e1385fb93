import { once } from 'node:events'
import { eq } from 'drizzle-orm'
import { until } from '../../core/until'
import { rightsRevision } from '../../tables/role'
import { testApp } from '../../testing'
import { startRightsSync } from './rightsSync'

test('a permission change in another process is emitted here, and a local one only once', async () => {
  const { app, close } = await testApp()
  const rightsSync = startRightsSync(app, 50)
  await rightsSync.ready
  const onChanged = jest.fn()
  app.rights.on('changed', onChanged)

  app.rights.emit('changed')
  const readRevisions = () => app.db.select().from(rightsRevision)
  await until(readRevisions, ([row]) => row?.value === 1)
  await rightsSync.look()
  expect(onChanged).toHaveBeenCalledTimes(1)

  await app.db.update(rightsRevision).set({ value: 7 }).where(eq(rightsRevision.id, 1))
  await once(app.rights, 'changed')
  await rightsSync.look()
  expect(onChanged).toHaveBeenCalledTimes(2)
  rightsSync.stop()
  await close()
})
