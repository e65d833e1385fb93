import { liveBusyCode, liveRefusedCode } from '@iot/shared/contract/live'
import { ClientMessage, type ServerMessage } from '@iot/shared/contract/live.schema'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { LiveHub } from './hub'
import { canWatch, findPageSession } from './pageAccess'

const authTimeoutMs = 5_000
/** Limit of messages of a page that wait to be handled. */
const maxPendingMessages = 50
/** Close code of this platform, like `liveRefusedCode`: the user may not see the requested project. */
export const liveForbidden = 4403

export type ConnectedPage = {
  token: string
  userId: string
  projectId?: number
  alive: boolean
  unwatchSession: () => void
}
export type ConnectedPages = Map<WebSocket, ConnectedPage>

/**
 * Returns a function that serves the socket of a page: first its sign-in, then its subscriptions.
 * @param addProject resolves once all changes of the project reach this process
 */
export function createPageConnector(
  app: FastifyInstance,
  pages: ConnectedPages,
  hub: LiveHub,
  addProject: (projectId: number) => Promise<void>,
) {
  async function signIn(socket: WebSocket, token: string) {
    const session = await findPageSession(app, socket, token)
    if (!session || socket.readyState !== socket.OPEN) return
    if (!app.userLimits.openSocket(session.user.id))
      return socket.close(liveBusyCode, '打开的页面过多，请关闭一些')
    const unwatchSession = app.sessions.watch(session)
    pages.set(socket, { token, userId: session.user.id, alive: true, unwatchSession })
    socket.send(JSON.stringify({ type: 'ready' } satisfies ServerMessage))
  }

  async function receive(socket: WebSocket, raw: string, onAuth: () => void) {
    const message = parseMessage(raw)
    const page = pages.get(socket)
    if (message?.type === 'auth' && !page) {
      onAuth()
      return signIn(socket, message.token)
    }
    if (!page) return socket.close(liveRefusedCode, '未登录，请先登录')
    if (message?.type !== 'watch') return socket.close(1008, '看不懂的消息')
    const session = await findPageSession(app, socket, page.token)
    if (!session) return
    if (!canWatch(session, message.projectId))
      return socket.close(liveForbidden, '没有查看设备的权限')
    if (!pages.has(socket)) return
    page.projectId = message.projectId
    await addProject(message.projectId)
    if (!pages.has(socket)) return
    hub.watch(socket, message)
  }

  return (socket: WebSocket) => {
    const deadline = setTimeout(
      () => socket.close(liveRefusedCode, '未登录，请先登录'),
      authTimeoutMs,
    )
    let lastJob = Promise.resolve()
    // Messages are handled in sequence, so that a second one cannot overtake the permission check of the first.
    let pendingMessageCount = 0
    socket.on('message', (raw) => {
      if (++pendingMessageCount > maxPendingMessages)
        return socket.close(liveBusyCode, '消息过于频繁')
      lastJob = lastJob
        .then(() => receive(socket, String(raw), () => clearTimeout(deadline)))
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
      if (page) {
        app.userLimits.closeSocket(page.userId)
        page.unwatchSession()
      }
      pages.delete(socket)
      hub.leave(socket)
    })
  }
}

function parseMessage(raw: string): ClientMessage | undefined {
  try {
    return ClientMessage.safeParse(JSON.parse(raw)).data
  } catch {
    return undefined
  }
}
