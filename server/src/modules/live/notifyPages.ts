import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import { hasPermission } from '@iot/shared/contract/endpoint'
import type { ServerMessage } from '@iot/shared/contract/live.schema'
import type { PageNotification } from '@iot/shared/contract/alarm/pageNotification.schema'
import type { FastifyInstance } from 'fastify'
import type { Session } from '../../core/http/session'
import type { AddressedNotification } from '../../device-access/broker/processMessageKinds'
import { findPageSession } from './pageAccess'
import type { ConnectedPages } from './pageConnection'

/** The stack of a page has room for three messages; the third counts the other notifications. */
const maxPerPage = 2

function concernsSession(
  { user, roles, permissions, projectScope }: Session,
  { projectId, roleIds, userId }: AddressedNotification,
) {
  if (userId !== undefined) return user.id === userId
  const seesProject =
    projectScope === 'all' || (projectId !== null && projectScope.includes(projectId))
  return (
    seesProject &&
    hasPermission(permissions, incidentApi.page.permission) &&
    (roleIds.length === 0 || roles.some(({ id }) => roleIds.includes(id)))
  )
}

/** Replaces what a page cannot show at once by their number and a link to the list. */
function limitNotifications(all: PageNotification[]): PageNotification[] {
  if (all.length <= maxPerPage) return all
  const [firstHidden] = all.slice(maxPerPage)
  return [
    ...all.slice(0, maxPerPage),
    {
      ...firstHidden!,
      key: `summary ${firstHidden!.key}`,
      subject: 'summary',
      isOver: false,
      title: `另有 ${all.length - maxPerPage} 条通知`,
      text: '',
      path: '/system/alarm/incident',
    },
  ]
}

/**
 * Sends notifications to the pages of this process whose user may see them at this moment.
 * @returns the number of pages that got at least one
 */
export async function notifyPages(
  app: FastifyInstance,
  pages: ConnectedPages,
  notifications: AddressedNotification[],
) {
  let pageCount = 0
  for (const [socket, { token }] of pages) {
    const session = await findPageSession(app, socket, token)
    if (!session || socket.readyState !== socket.OPEN) continue
    const all = notifications
      .filter((candidate) => concernsSession(session, candidate))
      .map(({ notification }) => notification)
    for (const notification of limitNotifications(all))
      socket.send(JSON.stringify({ type: 'notification', notification } satisfies ServerMessage))
    if (all.length > 0) pageCount++
  }
  return pageCount
}
