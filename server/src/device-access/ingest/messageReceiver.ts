import type { Db } from '../../core/db/db'
import {
  AlinkError,
  alinkCode,
  encodeReply,
  decode,
  buildUnreadableReply,
  deviceKey,
  Reply,
  Request,
  type Identity,
} from '../protocol/alink'
import { createBatchHandlers } from './batchPosts'
import type { Commands } from '../commands/commands'
import type { Directory, KnownDevice } from '../directory'
import { createMessageDeduplicator } from './messageDeduplicator'
import { createEventRecorder } from './eventRecorder'
import type { BrokerLink } from '../broker/brokerLink'
import type { MessageLog } from '../history/messageLog'
import { createPlainTopics } from './plainTopics'
import { readPresence } from '../broker/presenceTopics'
import type { DeviceSessions } from '../topology/deviceSessions'
import type { Siblings } from '../siblings'
import type { States } from './deviceStates'
import { buildErrorMessages, readValues } from '../protocol/readValues'
import type { ThingRequests } from './thingRequests'
import { parseDeviceTopic, buildDeviceTopic, type DeviceTopic } from '../protocol/topics'
import type { Topology } from '../topology/topology'
import { createKeyedQueue } from './keyedQueue'

type IngestDependencies = {
  db: Db
  directory: Directory
  states: States
  sessions: DeviceSessions
  siblings: Siblings
  /** Keys of devices whose reports matter to this process even if another process handles them. */
  observedKeys: ReadonlySet<string>
  topology: Topology
  requests: ThingRequests
  messages: MessageLog
  commands: Commands
  link: () => BrokerLink | undefined
  reportError: (error: Error) => void
  /** Set for an external broker that may not send presence events: a device that sends a message counts as online. */
  shouldMarkSendersOnline: boolean
}

/**
 * Matches replies to synchronous calls: below `rrpc/response`, or on the topic of the call, with or without `_reply`.
 */
const rrpcReplyPattern = /^rrpc\/(?:response\/([^/]+)$|([^/]+)\/.+$)/
const eventPostPattern = /^thing\/event\/([A-Za-z]\w{0,63})\/post$/

/** Handles messages of devices and replies to them. Every request ends in an Alink code. */
export function createMessageReceiver({
  db,
  directory,
  states,
  sessions,
  siblings,
  observedKeys,
  topology,
  requests,
  messages,
  commands,
  link,
  reportError,
  shouldMarkSendersOnline,
}: IngestDependencies) {
  const deduplicator = createMessageDeduplicator()
  const enqueueForDevice = createKeyedQueue()
  const storeEvent = createEventRecorder(db, (projectId) =>
    states.events.emit('incident', projectId),
  )
  const batchPosts = createBatchHandlers({
    directory,
    sessions,
    report: handleReport,
    recordEvent: storeEvent,
  })
  const plainTopics = createPlainTopics({ db, link })

  function handleReport(device: KnownDevice, params: unknown, isHistory = false) {
    const readResult = readValues(device.model.properties, params)
    const withoutHistory = new Set(
      device.model.properties.filter(({ isHistory }) => !isHistory).map((one) => one.identifier),
    )
    const isInHistory = (identifier: string) => !withoutHistory.has(identifier)
    const lateMessages = states.report(device, readResult.values, {
      times: readResult.times,
      belongsInHistory: isInHistory,
      isHistory,
      dropped: readResult.reasons,
    })
    return { ...buildErrorMessages(readResult), ...lateMessages }
  }

  async function handleAction(
    device: KnownDevice,
    action: string,
    params: unknown,
  ): Promise<unknown> {
    if (device.disabled) throw new AlinkError(alinkCode.disabled)
    if (shouldMarkSendersOnline) states.markOnline(device)
    if (topology.handles(action)) {
      await sessions.loadSession(device)
      const data = await topology.answer(device, action, params)
      // The new session is written before the reply, because an external broker may ask another process about it at
      // once.
      await states.flush()
      return data
    }
    if (requests.handles(action)) return requests.answer(device, action, params)
    if (batchPosts.handles(action)) {
      await sessions.loadSession(device)
      return batchPosts.answer(device, action, params)
    }
    const identifier = eventPostPattern.exec(action)?.[1]
    if (!identifier) throw new AlinkError(alinkCode.parameter)
    return identifier === 'property'
      ? handleReport(device, params)
      : storeEvent(device, identifier, params)
  }

  async function handleRequest(identity: Identity, action: string, payload: Buffer) {
    const message = decode(Request, payload)
    const reply = (text: string) =>
      link()?.publish(buildDeviceTopic(identity, `${action}_reply`), text)
    if (!message) return reply(buildUnreadableReply(payload))
    async function processRequest(request: Request) {
      try {
        const device = await directory.find(identity)
        if (!device) throw new AlinkError(alinkCode.deviceMissing)
        return encodeReply(
          request,
          alinkCode.ok,
          await handleAction(device, action, request.params),
        )
      } catch (error) {
        if (!(error instanceof AlinkError)) throw error
        return encodeReply(request, error.code, error.data, error.message)
      }
    }
    // Duplicates are removed for events only; a repeated query must return the current state.
    const connectionId = action.startsWith('thing/event/')
      ? sessions.getConnectionId(identity)
      : undefined
    const text = await deduplicator
      .handleOnce(connectionId, action, message.id, payload, () => processRequest(message))
      .catch((error: unknown) => {
        reportError(error instanceof Error ? error : new Error(String(error)))
        return encodeReply(message, 500, {}, 'system error')
      })
    if (message.sys?.ack !== 0) reply(text)
  }

  async function handleMessage(deviceTopic: DeviceTopic, topic: string, payload: Buffer) {
    const device = await directory.find(deviceTopic)
    // Several processes may hear a reply; only the owner of the device stores it.
    if (device && !device.disabled && siblings.owns(deviceKey(deviceTopic)))
      messages.record(device, 'up', topic, payload)
    if (plainTopics.handles(deviceTopic.action))
      return device && !device.disabled && plainTopics.handle(device, deviceTopic.action, payload)
    const rrpcMatch = rrpcReplyPattern.exec(deviceTopic.action)
    if (rrpcMatch) {
      // A device may echo the request on this topic; an echo has no code and is not decoded as a reply.
      const reply = decode(Reply, payload)
      return (
        reply && commands.handleReply(deviceTopic, { ...reply, id: rrpcMatch[1] ?? rrpcMatch[2]! })
      )
    }
    const isReply = deviceTopic.action.endsWith('_reply')
    if (!isReply && !deviceTopic.action.startsWith('thing/service/'))
      return handleRequest(deviceTopic, deviceTopic.action, payload)
    const reply = isReply ? decode(Reply, payload) : undefined
    if (!reply) return
    if (
      deviceTopic.action === 'thing/service/property/get_reply' &&
      siblings.owns(deviceKey(deviceTopic))
    ) {
      if (device && !device.disabled && reply.code === 200) handleReport(device, reply.data)
    }
    commands.handleReply(deviceTopic, reply)
  }

  /** Another process stores this report; here it only serves control tasks that wait for it. */
  async function observeReports(deviceTopic: DeviceTopic, payload: Buffer) {
    const device = await directory.find(deviceTopic)
    const message = decode(Request, payload)
    if (!device || !message || device.disabled) return
    const { values, times } = readValues(device.model.properties, message.params)
    states.observeReport(device, values, times)
  }

  return function receive(topic: string, payload: Buffer) {
    const ignoreHandled = (error: unknown) => {
      if (!(error instanceof AlinkError))
        reportError(error instanceof Error ? error : new Error(String(error)))
    }
    try {
      if (siblings.hear(topic, payload)) return
      const presence = topic.startsWith('$SYS/') ? readPresence(topic, payload) : undefined
      const deviceTopic = presence ?? parseDeviceTopic(topic)
      if (!deviceTopic) return
      const key = deviceKey(deviceTopic)
      const isOwner = siblings.owns(key)
      if (presence)
        return (
          isOwner &&
          enqueueForDevice(key, () => sessions.handlePresence(presence).catch(ignoreHandled))
        )
      const messageTopic = deviceTopic as DeviceTopic
      // The process that sent the command handles the reply.
      const isReply =
        messageTopic.action.endsWith('_reply') || rrpcReplyPattern.test(messageTopic.action)
      if (isOwner || isReply)
        return enqueueForDevice(key, () =>
          handleMessage(messageTopic, topic, payload).catch(ignoreHandled),
        )
      if (observedKeys.has(key) && messageTopic.action === 'thing/event/property/post')
        return enqueueForDevice(key, () =>
          observeReports(messageTopic, payload).catch(ignoreHandled),
        )
    } catch (error) {
      ignoreHandled(error)
    }
  }
}
