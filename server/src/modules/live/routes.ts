import websocket from '@fastify/websocket'
import type { Approval } from '@iot/shared/contract/approval'
import { ControlTask } from '@iot/shared/contract/control'
import { hasPermission } from '@iot/shared/contract/endpoint'
import { devicePermissions } from '@iot/shared/contract/devicePermissions'
import {
  heartbeatSeconds,
  pingSeconds,
  ClientMessage,
  livePath,
  liveBusyCode,
  liveRefusedCode,
  type ServerMessage,
} from '@iot/shared/contract/live'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { ChangedDevice } from '../../device-access/ingest/deviceStates'
import { countLights } from '../../device-access/lightCounts'
import { Refusal } from '../../core/refusal'
import type { Session } from '../../core/serve/session'
import type { TaskRow } from '../../core/tasks/queries'
import { webSocketCloseOptions } from '../../core/serve/connections'
import { logError } from '../../core/db/outage'
import { createLiveHub } from './hub'
import { readDeviceFingerprints } from './deviceFingerprints'
import { createUserTaskFeed } from './userTaskFeed'

const authTimeoutMs = 5_000
/** Limit of messages of a page that wait to be handled. */
const maxPendingMessages = 50
/**
 * Interval in milliseconds to check subscribed projects for edited devices; a check takes 15 ms for 10,000 devices.
 * The interval grows so that checks take at most a twentieth of the time.
 */
const checkIntervalMs = 1000
/** Close code of this platform, like `liveRefused`: the user may not see the requested project. */
const liveForbidden = 4403

type Page = { token: string; userId: string; projectId?: number; alive: boolean }

export async function liveRoutes(app: FastifyInstance) {
  const hub = createLiveHub((projectId, filter) => countLights(app.db, projectId, filter))
  const pages = new Map<WebSocket, Page>()
  const userTasks = createUserTaskFeed((userId, tasks) => {
    const text = JSON.stringify({ type: 'mine', tasks } satisfies ServerMessage)
    for (const [socket, page] of pages) if (page.userId === userId) socket.send(text)
  })
  /** Device fingerprint of each subscribed project at the last check. */
  const fingerprints = new Map<number, string>()
  await app.register(websocket, {
    options: { maxPayload: 8 * 1024, ...webSocketCloseOptions },
  })

  /** Returns the session of a page, or closes its socket with the reason. */
  async function findSession(socket: WebSocket, token: string): Promise<Session | undefined> {
    try {
      const session = await app.sessions.find(token)
      if (!session.user.mustChangePassword) return session
      socket.close(liveRefusedCode, '请先修改初始密码')
      return undefined
    } catch (error) {
      // A close reason holds at most 123 bytes. If the database fails, the session is unknown and the page reconnects.
      if (error instanceof Refusal) socket.close(liveRefusedCode, error.message.slice(0, 40))
      else socket.close(1011, '服务器暂时不可用')
      return undefined
    }
  }
  const hasProjectRight = (
    { permissions, projectScope }: Session,
    right: 'view' | 'bulkControl',
    projectId: number,
  ) =>
    hasPermission(permissions, devicePermissions[right].permission) &&
    (projectScope === 'all' || projectScope.includes(projectId))
  const canWatch = (session: Session, projectId: number) =>
    hasProjectRight(session, 'view', projectId)

  app.get(livePath, { websocket: true }, (socket: WebSocket) => {
    const sendMessage = (message: ServerMessage) => socket.send(JSON.stringify(message))
    const deadline = setTimeout(
      () => socket.close(liveRefusedCode, '未登录，请先登录'),
      authTimeoutMs,
    )
    let lastJob = Promise.resolve()

    async function receive(raw: string) {
      const message = parseMessage(raw)
      const page = pages.get(socket)
      if (message?.type === 'auth' && !page) {
        clearTimeout(deadline)
        const session = await findSession(socket, message.token)
        if (!session || socket.readyState !== socket.OPEN) return
        if (!app.userLimits.openSocket(session.user.id))
          return socket.close(liveBusyCode, '打开的页面过多，请关闭一些')
        pages.set(socket, { token: message.token, userId: session.user.id, alive: true })
        return sendMessage({ type: 'ready' })
      }
      if (!page) return socket.close(liveRefusedCode, '未登录，请先登录')
      if (message?.type !== 'watch') return socket.close(1008, '看不懂的消息')
      const session = await findSession(socket, page.token)
      if (!session) return
      if (!canWatch(session, message.projectId))
        return socket.close(liveForbidden, '没有查看设备的权限')
      if (!pages.has(socket)) return
      page.projectId = message.projectId
      if (!fingerprints.has(message.projectId))
        for (const [id, fingerprint] of await readDeviceFingerprints(app.db, [message.projectId]))
          fingerprints.set(id, fingerprint)
      if (!pages.has(socket)) return
      hub.watch(socket, message)
    }

    // Messages are handled in sequence, so that a second one cannot overtake the permission check of the first.
    let pendingMessageCount = 0
    socket.on('message', (raw) => {
      if (++pendingMessageCount > maxPendingMessages)
        return socket.close(liveBusyCode, '消息过于频繁')
      lastJob = lastJob
        .then(() => receive(String(raw)))
        .catch(() => socket.close(1011, '服务器内部错误'))
        .finally(() => pendingMessageCount--)
    })
    socket.on('pong', () => {
      const page = pages.get(socket)
      if (page) page.alive = true
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clearTimeout(deadline)
      const page = pages.get(socket)
      if (page) app.userLimits.closeSocket(page.userId)
      pages.delete(socket)
      hub.leave(socket)
    })
  })

  /** Checks again whether pages still have a session and the permission for their project. */
  async function recheckPages(userId?: string) {
    for (const [socket, page] of pages) {
      if (userId !== undefined && page.userId !== userId) continue
      const session = await findSession(socket, page.token)
      if (session && page.projectId !== undefined && !canWatch(session, page.projectId))
        socket.close(liveForbidden, '没有查看设备的权限')
    }
  }
  const onRights = () => {
    for (const socket of pages.keys())
      socket.send(JSON.stringify({ type: 'rights' } satisfies ServerMessage))
    void recheckPages()
  }
  const onChanged = (rows: ChangedDevice[]) => {
    for (const projectId of new Set(rows.map((row) => row.projectId))) {
      hub.states(
        projectId,
        rows.filter((row) => row.projectId === projectId),
      )
    }
  }
  const onTask = (row: TaskRow) => {
    userTasks.task(row)
    if (row.kind === 'control') hub.task(ControlTask.parse({ ...row, ...(row.detail as object) }))
  }
  /**
   * An approval reaches pages of every project, because it expires after two minutes. The requester is always told,
   * even
   * after losing the permission.
   */
  const onApproval = async (approval: Approval) => {
    const text = JSON.stringify({ type: 'approval', approval } satisfies ServerMessage)
    for (const [socket, { token }] of pages) {
      const session = await findSession(socket, token)
      if (!session) continue
      const isAsker = session.user.username === approval.createBy
      if (isAsker || hasProjectRight(session, 'bulkControl', approval.projectId)) socket.send(text)
    }
  }
  const onShift = (event: { projectId: number; open: number }) => hub.shift(event)
  const pingTimer = setInterval(() => {
    for (const [socket, page] of pages) {
      if (!page.alive) socket.terminate()
      page.alive = false
      socket.ping()
    }
    void recheckPages()
  }, pingSeconds * 1000).unref()
  const beatTimer = setInterval(() => {
    const text = JSON.stringify({ type: 'beat', time: Date.now() } satisfies ServerMessage)
    for (const socket of pages.keys()) socket.send(text)
  }, heartbeatSeconds * 1000).unref()

  async function checkFingerprints() {
    const watchedProjects = new Set([...pages.values()].flatMap(({ projectId }) => projectId ?? []))
    for (const id of fingerprints.keys()) if (!watchedProjects.has(id)) fingerprints.delete(id)
    for (const [id, fingerprint] of await readDeviceFingerprints(app.db, [
      ...fingerprints.keys(),
    ])) {
      if (fingerprints.has(id) && fingerprints.get(id) !== fingerprint) hub.changed(id)
      fingerprints.set(id, fingerprint)
    }
  }
  let checkTimer: NodeJS.Timeout
  const scheduleCheck = (delayMs: number) => {
    checkTimer = setTimeout(async () => {
      const start = performance.now()
      await checkFingerprints().catch((error) => logError('设备的改动没有查到', error))
      if (!isOver) scheduleCheck(Math.max(checkIntervalMs, 20 * (performance.now() - start)))
    }, delayMs).unref()
  }
  let isOver = false
  scheduleCheck(checkIntervalMs)

  const onEnded = (userId: string) => void recheckPages(userId)
  app.rights.on('changed', onRights)
  app.sessions.events.on('ended', onEnded)
  app.devices.states.events.on('changed', onChanged)
  app.tasks.events.on('changed', onTask)
  app.control.approvals.events.on('changed', onApproval)
  app.shift.events.on('changed', onShift)
  // Pages of one project may be connected to any process of the cluster, so events of the others are forwarded.
  app.devices.siblings.events.on('states', onChanged).on('task', onTask)
  app.devices.siblings.events.on('approval', onApproval).on('shift', onShift)
  app.addHook('onClose', () => {
    app.rights.off('changed', onRights)
    app.sessions.events.off('ended', onEnded)
    app.devices.states.events.off('changed', onChanged)
    app.tasks.events.off('changed', onTask)
    app.control.approvals.events.off('changed', onApproval)
    app.shift.events.off('changed', onShift)
    app.devices.siblings.events.off('states', onChanged).off('task', onTask)
    app.devices.siblings.events.off('approval', onApproval).off('shift', onShift)
    clearInterval(pingTimer)
    clearInterval(beatTimer)
    isOver = true
    clearTimeout(checkTimer)
    hub.close()
    userTasks.close()
  })
}

function parseMessage(raw: string): ClientMessage | undefined {
  try {
    return ClientMessage.safeParse(JSON.parse(raw)).data
  } catch {
    return undefined
  }
}
