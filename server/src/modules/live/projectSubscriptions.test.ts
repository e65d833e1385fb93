import { createProjectSubscriptions } from './projectSubscriptions'

it('subscribes once per project and drops it at the second check without pages', async () => {
  const processMessages = {
    watchProject: jest.fn(async () => {}),
    unwatchProject: jest.fn(async () => {}),
  }
  const watchedProjects = new Set([1])
  const onDropped = jest.fn()
  const subscriptions = createProjectSubscriptions(
    processMessages,
    () => watchedProjects,
    onDropped,
  )
  await Promise.all([subscriptions.addProject(1), subscriptions.addProject(1)])
  expect(processMessages.watchProject).toHaveBeenCalledTimes(1)

  subscriptions.dropIdle()
  watchedProjects.delete(1)
  subscriptions.dropIdle()
  expect(onDropped).not.toHaveBeenCalled()
  // A page that returns in between keeps the project.
  await subscriptions.addProject(1)
  subscriptions.dropIdle()
  expect(onDropped).not.toHaveBeenCalled()
  subscriptions.dropIdle()
  expect(onDropped).toHaveBeenCalledWith(1)
  expect(processMessages.unwatchProject).toHaveBeenCalledWith(1)
  await subscriptions.addProject(1)
  expect(processMessages.watchProject).toHaveBeenCalledTimes(2)
  subscriptions.stop()
})
