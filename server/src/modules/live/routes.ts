import websocket from '@fastify/websocket'
import type { Approval } from '@iot/shared/contract/approval'
import { ControlTask } from '@iot/shared/contract/control'
import { holds } from '@iot/shared/contract/endpoint'
import { rights } from '@iot/shared/contract/homeRights'
import {
  beatSeconds,
  pingSeconds,
  FromPage,
  livePath,
  liveBusy,
  liveRefused,
  type ToPage,
} from '@iot/shared/contract/live'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { Changed } from '../../device-access/states'
import { countLights } from '../../device-access/lights'
import { Refusal } from '../../core/refusal'
import type { Session } from '../../core/serve/session'
import type { TaskRow } from '../../core/tasks/queries'
import { webSocketClosing } from '../../core/serve/connections'
import { complain } from '../../core/db/outage'
import { openHub } from './hub'
import { keptOf } from './kept'
import { openMine } from './mine'

const authWithin = 5_000
/** Limit of messages of a page that wait to be handled. */
const maxPendingMessages = 50
/**
 * Interval in milliseconds to check subscribed projects for edited devices; a check takes 15 ms for 10,000 devices.
 * The interval grows so that checks take at most a twentieth of the time.
 */
const look = 1000
/** Close code of this platform, like `liveRefused`: the user may not see the requested project. */
const liveForbidden = 4403

type Page = { token: string; userId: string; projectId?: number; alive: boolean }

export async function liveRoutes(app: FastifyInstance) {
  const hub = openHub((projectId, among) => countLights(app.db, projectId, among))
  const pages = new Map<WebSocket, Page>()
  const mine = openMine((userId, tasks) => {
    const text = JSON.stringify({ type: 'mine', tasks } satisfies ToPage)
    for (const [socket, page] of pages) if (page.userId === userId) socket.send(text)
  })
  /** Device fingerprint of each subscribed project at the last check. */
  const kept = new Map<number, string>()
  await app.register(websocket, {
    options: { maxPayload: 8 * 1024, ...webSocketClosing },
  })

  /** Returns the session of a page, or closes its socket with the reason. */
  async function admit(socket: WebSocket, token: string): Promise<Session | undefined> {
    try {
      const session = await app.sessions.find(token)
      if (!session.user.mustChangePassword) return session
      socket.close(liveRefused, '请先修改初始密码')
      return undefined
    } catch (error) {
      // A close reason holds at most 123 bytes. If the database fails, the session is unknown and the page reconnects.
      if (error instanceof Refusal) socket.close(liveRefused, error.message.slice(0, 40))
      else socket.close(1011, '服务器暂时不可用')
      return undefined
    }
  }
  const may = ({ permissions, projectScope }: Session, right: 'view' | 'bulkControl', of: number) =>
    holds(permissions, rights[right].permission) &&
    (projectScope === 'all' || projectScope.includes(of))
  const mayWatch = (session: Session, projectId: number) => may(session, 'view', projectId)

  app.get(livePath, { websocket: true }, (socket: WebSocket) => {
    const say = (message: ToPage) => socket.send(JSON.stringify(message))
    const deadline = setTimeout(() => socket.close(liveRefused, '未登录，请先登录'), authWithin)
    let work = Promise.resolve()

    async function receive(raw: string) {
      const message = read(raw)
      const page = pages.get(socket)
      if (message?.type === 'auth' && !page) {
        clearTimeout(deadline)
        const session = await admit(socket, message.token)
        if (!session || socket.readyState !== socket.OPEN) return
        if (!app.userLimits.openSocket(session.user.id))
          return socket.close(liveBusy, '打开的页面过多，请关闭一些')
        pages.set(socket, { token: message.token, userId: session.user.id, alive: true })
        return say({ type: 'ready' })
      }
      if (!page) return socket.close(liveRefused, '未登录，请先登录')
      if (message?.type !== 'watch') return socket.close(1008, '看不懂的消息')
      const session = await admit(socket, page.token)
      if (!session) return
      if (!mayWatch(session, message.projectId))
        return socket.close(liveForbidden, '没有查看设备的权限')
      if (!pages.has(socket)) return
      page.projectId = message.projectId
      if (!kept.has(message.projectId))
        for (const [id, word] of await keptOf(app.db, [message.projectId])) kept.set(id, word)
      if (!pages.has(socket)) return
      hub.watch(socket, message)
    }

    // Messages are handled in sequence, so that a second one cannot overtake the permission check of the first.
    let pending = 0
    socket.on('message', (raw) => {
      if (++pending > maxPendingMessages) return socket.close(liveBusy, '消息过于频繁')
      work = work
        .then(() => receive(String(raw)))
        .catch(() => socket.close(1011, '服务器内部错误'))
        .finally(() => pending--)
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
  async function check(userId?: string) {
    for (const [socket, page] of pages) {
      if (userId !== undefined && page.userId !== userId) continue
      const session = await admit(socket, page.token)
      if (session && page.projectId !== undefined && !mayWatch(session, page.projectId))
        socket.close(liveForbidden, '没有查看设备的权限')
    }
  }
  const onRights = () => {
    for (const socket of pages.keys())
      socket.send(JSON.stringify({ type: 'rights' } satisfies ToPage))
    void check()
  }
  const onChanged = (rows: Changed[]) => {
    for (const projectId of new Set(rows.map((row) => row.projectId))) {
      hub.states(
        projectId,
        rows.filter((row) => row.projectId === projectId),
      )
    }
  }
  const onTask = (row: TaskRow) => {
    mine.task(row)
    if (row.kind === 'control') hub.task(ControlTask.parse({ ...row, ...(row.detail as object) }))
  }
  /**
   * An approval reaches pages of every project, because it expires after two minutes. The requester is always told,
   * even
   * after losing the permission.
   */
  const onApproval = async (approval: Approval) => {
    const text = JSON.stringify({ type: 'approval', approval } satisfies ToPage)
    for (const [socket, { token }] of pages) {
      const session = await admit(socket, token)
      if (!session) continue
      const isAsker = session.user.username === approval.createBy
      if (isAsker || may(session, 'bulkControl', approval.projectId)) socket.send(text)
    }
  }
  const onShift = (told: { projectId: number; open: number }) => hub.shift(told)
  const heart = setInterval(() => {
    for (const [socket, page] of pages) {
      if (!page.alive) socket.terminate()
      page.alive = false
      socket.ping()
    }
    void check()
  }, pingSeconds * 1000).unref()
  const beats = setInterval(() => {
    const beat = JSON.stringify({ type: 'beat', time: Date.now() } satisfies ToPage)
    for (const socket of pages.keys()) socket.send(beat)
  }, beatSeconds * 1000).unref()

  async function lookAgain() {
    const watched = new Set([...pages.values()].flatMap(({ projectId }) => projectId ?? []))
    for (const id of kept.keys()) if (!watched.has(id)) kept.delete(id)
    for (const [id, word] of await keptOf(app.db, [...kept.keys()])) {
      if (kept.has(id) && kept.get(id) !== word) hub.changed(id)
      kept.set(id, word)
    }
  }
  let looking: NodeJS.Timeout
  const lookLater = (pause: number) => {
    looking = setTimeout(async () => {
      const start = performance.now()
      await lookAgain().catch((error) => complain('设备的改动没有查到', error))
      if (!isOver) lookLater(Math.max(look, 20 * (performance.now() - start)))
    }, pause).unref()
  }
  let isOver = false
  lookLater(look)

  const onEnded = (userId: string) => void check(userId)
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
    clearInterval(heart)
    clearInterval(beats)
    isOver = true
    clearTimeout(looking)
    hub.close()
    mine.close()
  })
}

function read(raw: string): FromPage | undefined {
  try {
    return FromPage.safeParse(JSON.parse(raw)).data
  } catch {
    return undefined
  }
}
