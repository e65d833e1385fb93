import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { authApi } from '@iot/shared/contract/access/auth.api'
import type { LiveState } from '@iot/shared/contract/device/device.schema'
import { delayedControlApi } from '@iot/shared/contract/control/delayedControl.api'
import { manualOverrideApi } from '@iot/shared/contract/control/manualOverride.api'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { livePath } from '@iot/shared/contract/live'
import type { ClientMessage, ServerMessage } from '@iot/shared/contract/live.schema'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { WebSocket } from 'ws'
import { connectEdge, type EdgeClient } from '../../device-access/protocol/edgeClient'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import type { AddressedNotification } from '../../device-access/broker/processMessageKinds'
import { waitUntil } from '../../core/until'
import { userApi } from '@iot/shared/contract/access/user.api'
import { password, secondPassword, ownApp, type TestApp } from '../../testing'
import { user, userRole } from '../../tables/user'
import { role } from '../../tables/role'

const lampProduct = productRow('pkLamp', 'sub')
const edgeProduct = productRow('pkEdge', 'gateway')
const edge = deviceRow(edgeProduct, 'edge')
const lamps = Array.from({ length: 20 }, (_, n) =>
  deviceRow(lampProduct, `lamp-${n}`, { gatewayId: edge.id }),
)
const [lamp] = lamps as [typeof edge]
const floors = { first: uuidv7(), second: uuidv7() }
const [firstFloorLamp, secondFloorLamp] = (['first', 'second'] as const).map((floor) =>
  deviceRow(lampProduct, `${floor} floor`, { gatewayId: edge.id, floorId: floors[floor] }),
) as [typeof edge, typeof edge]

let app: TestApp
let gateway: EdgeClient
let url: string
/** A lamp follows a command once this promise resolves. */
let followGate: Promise<unknown> = Promise.resolve()
const sockets: WebSocket[] = []

beforeAll(async () => {
  app = await ownApp({ mqttPort: 0 })
  await insertDevices(
    app.app.db,
    [lampProduct, edgeProduct],
    [edge, ...lamps, firstFloorLamp, secondFloorLamp],
  )
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  url = `ws://127.0.0.1:${(app.app.server.address() as AddressInfo).port}${livePath}`
  gateway = await connectEdge({
    url: `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
    gateway: edge,
    children: [...lamps, firstFloorLamp, secondFloorLamp],
    onSet: (_key, values, { reply, post }) =>
      void followGate.then(() => (reply(200), post(values))),
  })
})
afterEach(() => sockets.splice(0).forEach((socket) => socket.terminate()))
afterAll(async () => {
  await gateway.close()
  await app.close()
})

/** A socket without authentication is closed soon, so everything it needs is prepared first. */
async function openPage() {
  const socket = new WebSocket(url)
  sockets.push(socket)
  const receivedMessages: (ServerMessage & { at: number })[] = []
  const closeEvent = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  )
  socket.on('message', (raw) =>
    receivedMessages.push({ ...(JSON.parse(String(raw)) as ServerMessage), at: Date.now() }),
  )
  socket.on('error', () => {})
  await once(socket, 'open')
  return {
    socket,
    receivedMessages,
    closeEvent,
    sendMessage: (message: ClientMessage) => socket.send(JSON.stringify(message)),
    waitForMessage: <T extends ServerMessage['type']>(type: T) =>
      waitUntil(
        () =>
          receivedMessages.find(
            (message): message is Extract<ServerMessage, { type: T }> & { at: number } =>
              message.type === type,
          ),
        (foundMessage) => foundMessage !== undefined,
      ).then((foundMessage) => foundMessage!),
    /** The answer to `watch` ends with one of these messages; more states and counts may follow at once. */
    answer: () =>
      receivedMessages.find(({ type }) => ['watching', 'reload', 'states'].includes(type)),
    states: () =>
      new Map(
        receivedMessages.flatMap((message) =>
          message.type === 'states'
            ? message.devices.map((device): [string, LiveState] => [device.id, device])
            : [],
        ),
      ),
    cursor: () =>
      Math.max(...receivedMessages.map((message) => ('cursor' in message ? message.cursor : 0))),
  }
}
async function openWatchingPage(
  token: string,
  cursor?: number,
  floorIds?: string[],
  deviceIds?: string[],
) {
  const page = await openPage()
  page.sendMessage({ type: 'auth', token })
  await page.waitForMessage('ready')
  page.sendMessage({ type: 'watch', projectId: 1, cursor, floorIds, deviceIds })
  await waitUntil(
    () => page.answer(),
    (answer) => answer !== undefined,
  )
  return page
}
const login = () => app.login('admin', password)

describe('/v1/live', () => {
  it('refuses a wrong token with the reason', async () => {
    const page = await openPage()
    page.sendMessage({ type: 'auth', token: 'x'.repeat(40) })
    expect(await page.closeEvent).toEqual({ code: 4401, reason: '未登录，请先登录' })
  })
  it('refuses a subscription before authentication', async () => {
    const page = await openPage()
    page.sendMessage({ type: 'watch', projectId: 1 })
    expect(await page.closeEvent).toMatchObject({ code: 4401 })
  })
  it('refuses a malformed message', async () => {
    const page = await openPage()
    page.socket.send('hello')
    expect(await page.closeEvent).toMatchObject({ code: 4401 })
  })
  it('refuses a project the user cannot see', async () => {
    const db = app.app.db
    const [admin] = await db.select().from(user).where(eq(user.username, 'admin'))
    const roleId = uuidv7(),
      userId = uuidv7()
    await db.insert(role).values({
      id: roleId,
      createBy: '',
      updateBy: '',
      name: 'other',
      code: 'other',
      description: '',
      dataScope: 'assigned',
      deviceRights: ['view'],
      builtin: false,
      everything: false,
    })
    await db.insert(user).values({
      ...admin!,
      id: userId,
      username: 'other',
      usernameKey: 'other',
      projectIds: [2],
      builtin: false,
      mustChangePassword: false,
    })
    await db.insert(userRole).values({ userId, roleId })
    const token = await app.login('other', password)
    const page = await openPage()
    page.sendMessage({ type: 'auth', token })
    await page.waitForMessage('ready')
    page.sendMessage({ type: 'watch', projectId: 1 })
    expect(await page.closeEvent).toMatchObject({ code: 4403 })
  })

  it('sends current states, batched to at most ten messages a second', async () => {
    const page = await openWatchingPage(await login())
    const end = Date.now() + 1500
    for (let n = 0; Date.now() < end; n++) {
      for (const item of lamps) gateway.post(item, { PowerSwitch: n % 2, Brightness: n % 100 })
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    for (const item of lamps) gateway.post(item, { PowerSwitch: 1, Brightness: 7 })
    await waitUntil(
      () => page.states(),
      (states) => lamps.every((candidate) => states.get(candidate.id)?.reported.Brightness === 7),
    )
    expect(page.states().get(lamp.id)).toMatchObject({
      state: 'online',
      reported: { PowerSwitch: 1, Brightness: 7 },
    })
    // The rate is measured over the whole time, because a busy process receives several messages at once.
    const seconds = (page.receivedMessages.at(-1)!.at - page.receivedMessages[0]!.at) / 1000
    expect(page.receivedMessages.length).toBeLessThanOrEqual(10 * seconds + 2)
  })

  it('refuses more floors than a plan can show', async () => {
    const page = await openWatchingPage(await login())
    page.sendMessage({
      type: 'watch',
      projectId: 1,
      floorIds: Array.from({ length: 51 }, () => uuidv7()),
    })
    expect(await page.closeEvent).toMatchObject({ code: 1008 })
  })
  it('sends the states of a subscribed device on any floor', async () => {
    const page = await openWatchingPage(await login(), undefined, [], [secondFloorLamp.id])
    gateway.post(firstFloorLamp, { PowerSwitch: 1 })
    gateway.post(secondFloorLamp, { PowerSwitch: 1, Brightness: 11 })
    await waitUntil(
      () => page.states().get(secondFloorLamp.id),
      (state) => state?.reported.Brightness === 11,
    )
    expect(page.states().has(firstFloorLamp.id)).toBe(false)
  })
  it('sends states of subscribed floors only, and light counts of all others', async () => {
    const token = await login()
    const all = await openWatchingPage(token)
    const waitForSwitch = (item: typeof lamp, on: number) =>
      waitUntil(
        () => all.states().get(item.id),
        (state) => state?.reported.PowerSwitch === on,
      )
    // The first event may contain earlier states; the following ones contain changes only.
    gateway.post(secondFloorLamp, { PowerSwitch: 1 })
    gateway.post(firstFloorLamp, { PowerSwitch: 0 })
    await waitForSwitch(secondFloorLamp, 1)
    await waitForSwitch(firstFloorLamp, 0)
    const page = await openWatchingPage(token, undefined, [floors.first])
    expect(page.answer()).toMatchObject({ type: 'watching' })
    const countLit = (spaceId: string) =>
      page.receivedMessages
        .flatMap((message) => (message.type === 'lights' ? message.spaces : []))
        .findLast((candidate) => candidate.spaceId === spaceId)?.on
    gateway.post(secondFloorLamp, { PowerSwitch: 0 })
    gateway.post(firstFloorLamp, { PowerSwitch: 1 })
    await waitUntil(
      () => page.states().get(firstFloorLamp.id),
      (state) => state?.reported.PowerSwitch === 1,
    )
    await waitUntil(
      () => countLit(floors.second),
      (on) => on === 0,
    )
    gateway.post(secondFloorLamp, { PowerSwitch: 1 })
    await waitUntil(
      () => [countLit(floors.first), countLit(floors.second)],
      ([first, second]) => first === 1 && second === 1,
    )
    expect([...page.states().keys()]).toEqual([firstFloorLamp.id])

    // A page that reconnects receives the events of the floors it now subscribes to, and the light counts.
    const cursor = page.cursor()
    page.socket.terminate()
    const witness = await openWatchingPage(token)
    gateway.post(secondFloorLamp, { PowerSwitch: 0 })
    await waitUntil(
      () => witness.receivedMessages.filter((message) => message.type === 'lights').length,
      (count) => count > 0,
    )
    const again = await openWatchingPage(token, cursor, [floors.second])
    expect(again.states().get(secondFloorLamp.id)?.reported.PowerSwitch).toBe(0)
    expect(
      again.receivedMessages.flatMap((message) =>
        message.type === 'lights' ? message.spaces : [],
      ),
    ).toContainEqual(expect.objectContaining({ spaceId: floors.second, on: 0, off: 1 }))
  })

  it('announces an edited device with the new counts, but not a reported value', async () => {
    const token = await login()
    const page = await openWatchingPage(token)
    const countChanges = () => page.receivedMessages.filter(({ type }) => type === 'changed').length
    const countBefore = countChanges()
    gateway.post(lamp, { Brightness: 37 })
    await waitUntil(
      () => page.states().get(lamp.id),
      (state) => state?.reported.Brightness === 37,
    )
    expect(countChanges()).toBe(countBefore)

    const cursor = page.cursor()
    const client = app.as('admin')
    const edit = async (isProtected: boolean) => {
      const { version, name, spaceId } = await client.call(managedDeviceApi.get, { id: lamp.id })
      await client.call(managedDeviceApi.update, {
        id: lamp.id,
        version,
        name,
        spaceId,
        protected: isProtected,
      })
    }
    await edit(true)
    await waitUntil(countChanges, (count) => count > countBefore)
    const isProtected = () =>
      page.receivedMessages
        .flatMap((message) => (message.type === 'lights' ? message.spaces : []))
        .findLast(({ spaceId }) => spaceId === '')?.protected
    await waitUntil(isProtected, (count) => count === 1)
    page.socket.terminate()
    const again = await openWatchingPage(token, cursor)
    expect(again.receivedMessages.map(({ type }) => type)).toContain('changed')
    await edit(false)
  })

  it('announces manual overrides and delayed commands, also after a reconnect', async () => {
    const token = await login()
    const page = await openWatchingPage(token)
    const countHints = () =>
      page.receivedMessages.filter(({ type }) => type === 'controlLists').length
    const client = app.as('admin')
    await client.call(manualOverrideApi.create, {
      projectId: 1,
      scope: { kind: 'devices', deviceIds: [lamp.id] },
      until: new Date(Date.now() + 3_600_000).toISOString(),
      reason: '检修',
    })
    await waitUntil(countHints, (count) => count === 1)
    const [override] = await client.call(manualOverrideApi.list, { projectId: 1 })
    await client.call(manualOverrideApi.end, { id: override!.id })
    await waitUntil(countHints, (count) => count === 2)
    const delayed = await client.call(delayedControlApi.create, {
      request: {
        kind: 'set',
        projectId: 1,
        scope: { kind: 'devices', deviceIds: [lamp.id] },
        values: { PowerSwitch: 1 },
      },
      delayMinutes: 10,
    })
    await waitUntil(countHints, (count) => count === 3)

    const cursor = page.cursor()
    await client.call(delayedControlApi.cancel, { id: delayed.id })
    await waitUntil(countHints, (count) => count === 4)
    page.socket.terminate()
    const again = await openWatchingPage(token, cursor)
    expect(again.receivedMessages.map(({ type }) => type)).toContain('controlLists')
    again.socket.terminate()
  })

  it('sends the progress of a control task up to its end', async () => {
    const page = await openWatchingPage(await login())
    const task = await app.as('admin').call(controlApi.start, {
      kind: 'action',
      productType: 'SAFEWAY_LIGHT',
      actionType: 'all_off',
      projectId: 1,
      scope: { kind: 'project' },
    })
    const last = await waitUntil(
      () =>
        page.receivedMessages
          .flatMap((message) => (message.type === 'tasks' ? message.tasks : []))
          .at(-1),
      (item) => item?.doneTime != null,
    )
    expect(last).toMatchObject({ id: task.id, status: 'done', counts: { success: 22 } })
  })

  it('ignores invalid device ids of a subscription', async () => {
    const page = await openWatchingPage(await login(), undefined, [], ['undefined', '0,1', lamp.id])
    await app.as('admin').call(controlApi.start, {
      kind: 'set',
      projectId: 1,
      values: { Brightness: 41 },
      scope: { kind: 'devices', deviceIds: [lamp.id] },
    })
    await waitUntil(
      () => page.states().get(lamp.id),
      (state) => state?.reported.Brightness === 41,
    )
  })

  it('sends the progress of several tasks together', async () => {
    const page = await openWatchingPage(await login())
    let follow!: () => void
    followGate = new Promise<void>((resolve) => (follow = resolve))
    for (const { id } of lamps)
      await app.as('admin').call(controlApi.start, {
        kind: 'set',
        projectId: 1,
        values: { Brightness: 42 },
        scope: { kind: 'devices', deviceIds: [id] },
      })
    const readTaskMessages = () =>
      page.receivedMessages.flatMap((message) =>
        message.type === 'tasks' ? [{ at: message.at, tasks: message.tasks }] : [],
      )
    page.receivedMessages.length = 0
    follow()
    await waitUntil(
      () => readTaskMessages().flatMap(({ tasks }) => tasks.filter((task) => task.doneTime)),
      (endedTasks) => new Set(endedTasks.map(({ id }) => id)).size === lamps.length,
    )
    expect(readTaskMessages().length).toBeLessThan(lamps.length)
  })

  it('sends desired values to every page, and the follow-up state in one message', async () => {
    const page = await openWatchingPage(await login())
    let follow!: () => void
    followGate = new Promise<void>((resolve) => (follow = resolve))
    await app.as('admin').call(controlApi.start, {
      kind: 'set',
      projectId: 1,
      scope: { kind: 'devices', deviceIds: [lamp.id] },
      values: { Brightness: 77 },
    })
    const isDesired = (state?: LiveState) => state?.desired.Brightness === 77
    const pendingState = await waitUntil(() => page.states().get(lamp.id), isDesired)
    expect(pendingState!.reported.Brightness).not.toBe(77)
    follow()
    const followedState = await waitUntil(
      () => page.states().get(lamp.id),
      (state) => !isDesired(state),
    )
    expect(followedState).toMatchObject({ reported: { Brightness: 77 }, desired: {} })
  })

  it('sends users their own tasks only, also without a project', async () => {
    const tokens = [await login(), await app.login('other', password)]
    const pages = await Promise.all([openPage(), openPage()])
    pages.forEach((page, n) => page.sendMessage({ type: 'auth', token: tokens[n]! }))
    for (const page of pages) await page.waitForMessage('ready')
    const [admin] = await app.app.db.select().from(user).where(eq(user.username, 'admin'))
    const { row } = await app.app.tasks.run(
      { kind: 'export', title: '导出厂商', ownerId: admin!.id, createBy: 'admin', total: 3 },
      async (step) => {
        for (let success = 1; success <= 3; success++) await step.progress({ counts: { success } })
      },
    )
    const last = await waitUntil(
      () =>
        pages[0]!.receivedMessages
          .flatMap((message) => (message.type === 'mine' ? message.tasks : []))
          .findLast(({ id }) => id === row.id),
      (task) => task?.doneTime != null,
    )
    expect(last).toMatchObject({ title: '导出厂商', status: 'done', counts: { success: 3 } })
    expect(pages[1]!.receivedMessages.filter(({ type }) => type !== 'beat')).toHaveLength(1)
  })

  it('resumes after the last received event, and requests a reload when that is too old', async () => {
    const token = await login()
    const page = await openWatchingPage(token)
    gateway.post(lamp, { Brightness: 11 })
    await waitUntil(
      () => page.states().get(lamp.id),
      (state) => state?.reported.Brightness === 11,
    )
    const cursor = page.cursor()
    page.socket.terminate()
    const witness = await openWatchingPage(token)
    gateway.post(lamp, { Brightness: 12 })
    await waitUntil(
      () => witness.states().get(lamp.id),
      (state) => state?.reported.Brightness === 12,
    )
    const again = await openWatchingPage(token, cursor)
    expect(again.states().get(lamp.id)?.reported.Brightness).toBe(12)
    expect(again.receivedMessages.some((message) => message.type === 'reload')).toBe(false)
    const outdatedPage = await openWatchingPage(token, 5)
    expect(outdatedPage.answer()).toMatchObject({ type: 'reload' })
  })

  it('sends a notification to those who may see it, and says to how many pages', async () => {
    const openAs = async (token: string) => {
      const page = await openPage()
      page.sendMessage({ type: 'auth', token })
      await page.waitForMessage('ready')
      return page
    }
    await app.join('duty', 'operator', [1])
    await app.as('admin').call(roleApi.create, {
      name: '只看设备',
      code: 'devices-only',
      description: '',
      menuIds: [],
      dataScope: 'assigned',
      deviceRights: ['view'],
    })
    await app.join('reader', 'devices-only', [1])
    const duty = await openAs(await app.login('duty', secondPassword))
    const reader = await openAs(await app.login('reader', secondPassword))
    const owner = await openAs(await login())
    const [dutyRow] = await app.app.db.select().from(user).where(eq(user.username, 'duty'))
    const [dutyRole] = await app.app.db
      .select()
      .from(userRole)
      .where(eq(userRole.userId, dutyRow!.id))
    const send = (key: string, change: Partial<AddressedNotification>) =>
      app.app.pageNotifications.deliver([
        {
          projectId: 1,
          roleIds: [],
          notification: {
            key,
            subject: key,
            severity: 'major',
            isOver: false,
            title: key,
            text: '',
            path: '/',
          },
          ...change,
        },
      ])
    const readKeys = ({ receivedMessages }: typeof duty) =>
      receivedMessages.flatMap((message) =>
        message.type === 'notification' ? [message.notification.key] : [],
      )
    expect(await send('other project', { projectId: 2 })).toBe(1)
    expect(await send('platform', { projectId: null })).toBe(1)
    expect(await send('role', { roleIds: [dutyRole!.roleId] })).toBe(1)
    expect(await send('unknown role', { roleIds: [uuidv7()] })).toBe(0)
    expect(await send('own test', { projectId: null, userId: dutyRow!.id })).toBe(1)
    const countOfAll = await send('all', {})
    await waitUntil(
      () => readKeys(duty),
      (keys) => keys.includes('all'),
    )
    expect(readKeys(duty)).toEqual(['role', 'own test', 'all'])
    expect(readKeys(owner)).toEqual(['other project', 'platform', 'all'])
    expect(readKeys(reader)).toEqual([])
    expect(countOfAll).toBe(2)
  })

  it('does not open before the first password is changed', async () => {
    const { id } = await app.join('newcomer', 'visitor')
    const { password: initialPassword } = await app.as('admin').call(userApi.resetPassword, { id })
    const token = await app.login('newcomer', initialPassword)
    const page = await openPage()
    page.sendMessage({ type: 'auth', token })
    expect(await page.closeEvent).toEqual({ code: 4401, reason: '请先修改初始密码' })
  })
  it.each(['logout', 'revoke', 'reset'] as const)(
    'closes at a %s without waiting for the next heartbeat',
    async (how) => {
      const { id } = await app.join(how, 'operator', [1])
      const token = await app.login(how, secondPassword)
      const other = app.withToken(await app.login(how, secondPassword))
      const page = await openWatchingPage(token)
      const startMs = performance.now()
      if (how === 'logout') await app.withToken(token).call(authApi.logout, {})
      if (how === 'revoke') await other.call(authApi.revoke, {})
      if (how === 'reset') await app.as('admin').call(userApi.resetPassword, { id })
      expect(await page.closeEvent).toMatchObject({ code: 4401 })
      expect(performance.now() - startMs).toBeLessThan(20_000)
    },
  )
  it('announces changed permissions and closes when the session ends', async () => {
    const token = await login()
    const page = await openWatchingPage(token)
    app.app.rights.emit('changed')
    await page.waitForMessage('rights')
    await app.withToken(token).call(authApi.logout, {})
    app.app.rights.emit('changed')
    expect(await page.closeEvent).toEqual({ code: 4401, reason: '登录已退出，请重新登录' })
  })
})
