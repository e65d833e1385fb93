import type { APIRequestContext } from '@playwright/test'
import { expect } from './fixtures'
import { createSender } from './listHelpers'

/** This simulated lamp has a broken driver and refuses commands. */
export const refusingLamp = 'A座2F-南办公区-03'

export async function findDeviceByName(api: APIRequestContext, name: string) {
  const path = `/v1/device/search?projectId=1&text=${encodeURIComponent(name)}`
  const { list } = await createSender(api)<{ list: { id: string; name: string }[] }>('get', path)
  return list[0]!
}

/** Sets values of lamps by name through the API, as another user would, and waits until all entries have finished. */
export async function setLampValues(
  api: APIRequestContext,
  names: string[],
  values: Record<string, number>,
) {
  const send = createSender(api)
  const devices = await Promise.all(names.map((name) => findDeviceByName(api, name)))
  const scope = { kind: 'devices', deviceIds: devices.map(({ id }) => id) }
  const data = { kind: 'set', projectId: 1, scope, values }
  const task = await send<{ id: string }>('post', '/v1/control/task', data)
  await expect(async () => {
    const { doneTime } = await send<{ doneTime: string | null }>(
      'get',
      `/v1/control/task/${task.id}`,
    )
    expect(doneTime).not.toBeNull()
  }).toPass()
}

/** Sends a command that a lamp refuses. */
export const failCommand = (api: APIRequestContext) =>
  setLampValues(api, [refusingLamp], { PowerSwitch: 0 })

/** Waits until a rule has opened an incident for a refused command. */
export const waitForIncident = (api: APIRequestContext) =>
  expect(async () => {
    const filters = { projectId: 1, title: '控制任务失败' }
    const { total } = await createSender(api)<{ total: number }>(
      'post',
      '/v1/incident/page',
      filters,
    )
    expect(total).toBeGreaterThan(0)
  }).toPass({ timeout: 60_000 })
