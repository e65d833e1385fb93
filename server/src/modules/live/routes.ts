import websocket from '@fastify/websocket'
import type { Approval } from '@iot/shared/contract/control/approval.schema'
import { ControlTask } from '@iot/shared/contract/control/control.schema'
import { heartbeatSeconds, pingSeconds, livePath } from '@iot/shared/contract/live'
import type { ServerMessage } from '@iot/shared/contract/live.schema'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { ChangedDevice } from '../../device-access/ingest/writeDeviceRows'
import { countLights } from '../../device-access/lightCounts'
import type { TaskRow } from '../../core/tasks/queries'
import { webSocketCloseOptions } from '../../core/http/connections'
import { startCutOffCheck } from './cutOffCheck'
import { readControlListFingerprints, readDeviceFingerprints } from './fingerprints'
import { startProjectChangeCheck } from './projectChangeCheck'
import { createProjectSubscriptions } from './projectSubscriptions'
import { createLiveHub, type LiveHub } from './hub'
import { canWatch, findPageSession, hasProjectRight } from './pageAccess'
import { createPageConnector, liveForbidden, type ConnectedPages } from './pageConnection'
import { notifyPages } from './notifyPages'
import { createUserTaskFeed } from './userTaskFeed'
import { runInBackground } from '../../core/db/outage'

export async function liveRoutes(app: FastifyInstance) {
  const hub = createLiveHub((projectId, filter) => countLights(app.db, projectId, filter))
  const pages: ConnectedPages = new Map()
  await app.register(websocket, {
    options: { maxPayload: 8 * 1024, ...webSocketCloseOptions },
  })

  const listWatchedProjects = () =>
    new Set([...pages.values()].flatMap(({ projectId }) => projectId ?? []))
  const changeCheck = startProjectChangeCheck(app.db, listWatchedProjects, [
    { readFingerprints: readDeviceFingerprints, onChanged: hub.changed },
    { readFingerprints: readControlListFingerprints, onChanged: hub.controlLists },
  ])
  const subscriptions = createProjectSubscriptions(
    app.devices.processMessages,
    listWatchedProjects,
    hub.drop,
  )
  const addProject = async (projectId: number) => {
    await subscriptions.addProject(projectId)
    await changeCheck.addProject(projectId)
  }
  /** The pages show that they are not updated and reconnect, through the web server to another process. */
  const cutOffCheck = startCutOffCheck(app, () => {
    for (const socket of pages.keys()) closeCutOff(socket)
  })
  const connectPage = createPageConnector(app, pages, hub, addProject)
  app.get(livePath, { websocket: true }, (socket) =>
    cutOffCheck.isCutOff() ? closeCutOff(socket) : connectPage(socket),
  )

  const stopRightChecks = watchRights(app, pages)
  const stopForwarding = forwardEvents(app, pages, hub)
  app.pageNotifications.serve((notifications) => notifyPages(app, pages, notifications))
  app.addHook('onClose', () => {
    stopRightChecks()
    stopForwarding()
    changeCheck.stop()
    subscriptions.stop()
    cutOffCheck.stop()
    hub.close()
  })
}

const recheckFailureText = '实时页面的权限未复查'
/** Close code 1013 of the WebSocket registry: try again later. */
const closeCutOff = (socket: WebSocket) => socket.close(1013, '服务器与数据库或消息服务的连接中断')

function broadcast(pages: ConnectedPages, message: ServerMessage) {
  const text = JSON.stringify(message)
  for (const socket of pages.keys()) socket.send(text)
}

/**
 * Closes pages that lose their connection, their session or the permission for their project.
 * @returns a function that ends the checks
 */
function watchRights(app: FastifyInstance, pages: ConnectedPages) {
  /** Checks again whether pages still have a session and the permission for their project. */
  async function recheckPages(userId?: string) {
    for (const [socket, page] of pages) {
      if (userId !== undefined && page.userId !== userId) continue
      const session = await findPageSession(app, socket, page.token)
      if (session && page.projectId !== undefined && !canWatch(session, page.projectId))
        socket.close(liveForbidden, '没有查看设备的权限')
    }
  }
  const onRights = () => {
    broadcast(pages, { type: 'rights' })
    runInBackground(recheckPages(), recheckFailureText)
  }
  const onEnded = (userId: string) => runInBackground(recheckPages(userId), recheckFailureText)
  const pingTimer = setInterval(() => {
    for (const [socket, page] of pages) {
      if (!page.alive) socket.terminate()
      page.alive = false
      socket.ping()
    }
    runInBackground(recheckPages(), recheckFailureText)
  }, pingSeconds * 1000).unref()
  const beatTimer = setInterval(
    () => broadcast(pages, { type: 'beat', time: Date.now() }),
    heartbeatSeconds * 1000,
  ).unref()
  app.rights.on('changed', onRights)
  app.sessions.events.on('ended', onEnded)
  return () => {
    app.rights.off('changed', onRights)
    app.sessions.events.off('ended', onEnded)
    clearInterval(pingTimer)
    clearInterval(beatTimer)
  }
}

/**
 * Forwards events of this process and of the other cluster members to the pages.
 * @returns a function that ends the forwarding
 */
function forwardEvents(app: FastifyInstance, pages: ConnectedPages, hub: LiveHub) {
  const userTasks = createUserTaskFeed((userId, tasks) => {
    const text = JSON.stringify({ type: 'mine', tasks } satisfies ServerMessage)
    for (const [socket, page] of pages) if (page.userId === userId) socket.send(text)
  })
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
   * even after losing the permission.
   */
  const sendApproval = async (approval: Approval) => {
    const text = JSON.stringify({ type: 'approval', approval } satisfies ServerMessage)
    for (const [socket, { token }] of pages) {
      const session = await findPageSession(app, socket, token)
      if (!session) continue
      const isAsker = session.user.username === approval.createBy
      if (isAsker || hasProjectRight(session, 'bulkControl', approval.projectId)) socket.send(text)
    }
  }
  const onApproval = (approval: Approval) =>
    runInBackground(sendApproval(approval), '审批未发到页面')
  const onShift = (event: { projectId: number; open: number }) => hub.shift(event)

  app.devices.states.events.on('changed', onChanged)
  app.tasks.events.on('changed', onTask)
  app.control.approvals.events.on('changed', onApproval)
  app.shift.events.on('changed', onShift)
  // Pages of one project may be connected to any process of the cluster, so events of the others are forwarded.
  const otherProcesses = app.devices.processMessages.events
  otherProcesses.on('states', onChanged).on('task', onTask).on('resumed', hub.reload)
  otherProcesses.on('approval', onApproval).on('shift', onShift)
  return () => {
    app.devices.states.events.off('changed', onChanged)
    app.tasks.events.off('changed', onTask)
    app.control.approvals.events.off('changed', onApproval)
    app.shift.events.off('changed', onShift)
    otherProcesses.off('states', onChanged).off('task', onTask).off('resumed', hub.reload)
    otherProcesses.off('approval', onApproval).off('shift', onShift)
    userTasks.close()
  }
}
