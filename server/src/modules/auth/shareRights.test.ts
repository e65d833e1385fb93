import { eq } from 'drizzle-orm'
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
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(told).toHaveBeenCalledTimes(1)
  await app.db.update(rightsRevision).set({ value: 7 }).where(eq(rightsRevision.id, 1))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(told).toHaveBeenCalledTimes(2)
  sharing.stop()
  await close()
})
