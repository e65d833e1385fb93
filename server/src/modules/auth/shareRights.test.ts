import { once } from 'node:events'
import { eq } from 'drizzle-orm'
import { until } from '../../device-access/testing'
import { rightsRevision } from '../../tables/role'
import { testApp } from '../../testing'
import { shareRights } from './shareRights'

test('a change of rights in another process is told here, our own is told once', async () => {
  const { app, close } = await testApp()
  const sharing = shareRights(app, 50)
  await sharing.ready
  const told = jest.fn()
  app.rights.on('changed', told)

  app.rights.emit('changed')
  const revisions = () => app.db.select().from(rightsRevision)
  await until(revisions, ([row]) => row?.value === 1)
  await sharing.look()
  expect(told).toHaveBeenCalledTimes(1)

  await app.db.update(rightsRevision).set({ value: 7 }).where(eq(rightsRevision.id, 1))
  await once(app.rights, 'changed')
  await sharing.look()
  expect(told).toHaveBeenCalledTimes(2)
  sharing.stop()
  await close()
})
