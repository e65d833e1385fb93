import { once } from 'node:events'
import { eq } from 'drizzle-orm'
import { waitUntil } from '../../core/until'
import { session } from '../../tables/auth'
import { rightsRevision } from '../../tables/role'
import { password, ownApp } from '../../testing'
import { startRightsSync } from './rightsSync'

test('a permission change in another process is emitted here, and a local one only once', async () => {
  const { app, close } = await ownApp()
  const rightsSync = startRightsSync(app, 50)
  await rightsSync.ready
  const onChanged = jest.fn()
  app.rights.on('changed', onChanged)

  app.rights.emit('changed')
  const readRevisions = () => app.db.select().from(rightsRevision)
  await waitUntil(readRevisions, ([row]) => row?.value === 1)
  await rightsSync.look()
  expect(onChanged).toHaveBeenCalledTimes(1)

  await app.db.update(rightsRevision).set({ value: 7 }).where(eq(rightsRevision.id, 1))
  await once(app.rights, 'changed')
  await rightsSync.look()
  expect(onChanged).toHaveBeenCalledTimes(2)
  await rightsSync.stop()
  await close()
})

test('a session that another process has ended is refused at once and its user is reported', async () => {
  const { app, login, close } = await ownApp()
  const token = await login('admin', password)
  const rightsSync = startRightsSync(app, 50)
  await rightsSync.ready
  const openSession = await app.sessions.find(token)
  const ended = once(app.sessions.events, 'ended')
  await app.db.update(session).set({ ended: 'kicked' }).where(eq(session.id, openSession.id))
  expect(await ended).toEqual([openSession.user.id])
  await expect(app.sessions.find(token)).rejects.toThrow('您已被踢下线')
  await rightsSync.stop()
  await close()
})

test('a watched session that another process has ended is reported although it is not cached', async () => {
  const { app, login, close } = await ownApp()
  const openSession = await app.sessions.find(await login('admin', password))
  const unwatch = app.sessions.watch(openSession)
  app.sessions.forget()
  const onEnded = jest.fn()
  app.sessions.events.on('ended', onEnded)
  await app.sessions.dropEnded()
  expect(onEnded).not.toHaveBeenCalled()
  await app.db.update(session).set({ ended: 'kicked' }).where(eq(session.id, openSession.id))
  await app.sessions.dropEnded()
  expect(onEnded).toHaveBeenCalledWith(openSession.user.id)
  unwatch()
  await app.sessions.dropEnded()
  expect(onEnded).toHaveBeenCalledTimes(1)
  await close()
})
