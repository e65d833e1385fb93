import { hasPermission } from '@iot/shared/contract/endpoint'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { livePath, liveRefusedCode } from '@iot/shared/contract/live'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import { refuseBeforeDuties } from '../../core/http/serve'
import { Refusal } from '../../core/refusal'
import type { Session } from '../../core/http/session'

/** Returns the session of a page, or closes its socket with the reason. */
export async function findPageSession(
  app: FastifyInstance,
  socket: WebSocket,
  token: string,
): Promise<Session | undefined> {
  try {
    const session = await app.sessions.find(token)
    refuseBeforeDuties(session, { path: livePath })
    return session
  } catch (error) {
    // A close reason holds at most 123 bytes. If the database fails, the session is unknown and the page reconnects.
    if (error instanceof Refusal) socket.close(liveRefusedCode, error.message.slice(0, 40))
    else socket.close(1011, '服务器暂时不可用')
    return undefined
  }
}

export const hasProjectRight = (
  { permissions, projectScope }: Session,
  deviceRight: 'view' | 'bulkControl',
  projectId: number,
) =>
  hasPermission(permissions, devicePermissions[deviceRight].permission) &&
  (projectScope === 'all' || projectScope.includes(projectId))

export const canWatch = (session: Session, projectId: number) =>
  hasProjectRight(session, 'view', projectId)
