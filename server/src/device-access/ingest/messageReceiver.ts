import { AlinkError, decode, deviceKey, Reply, Request } from '../protocol/alink'
import type { Commands } from '../commands/commands'
import type { MessageLog } from '../history/messageLog'
import { createPlainTopics } from './plainTopics'
import { readPresence } from '../broker/presenceTopics'
import type { Siblings } from '../siblings'
import { readValues } from '../protocol/readValues'
import { parseDeviceTopic, type DeviceTopic } from '../protocol/topics'
import { createKeyedQueue } from './keyedQueue'
import { recordPropertyPost } from './recordPropertyPost'
import { createRequestHandler, type RequestDependencies } from './requestHandler'

type IngestDependencies = RequestDependencies & {
  siblings: Siblings
  /** Keys of devices whose reports matter to this process even if another process handles them. */
  observedKeys: ReadonlySet<string>
  messages: MessageLog
  commands: Commands
}

/**
 * Matches replies to synchronous calls: below `rrpc/response`, or on the topic of the call, with or without `_reply`.
 */
const rrpcReplyPattern = /^rrpc\/(?:response\/([^/]+)$|([^/]+)\/.+$)/

/** Handles one message of a device: a plain topic, a request, or a reply to a command. */
function createMessageHandler(dependencies: IngestDependencies) {
  const { db, directory, states, siblings, messages, commands, link } = dependencies
  const handleRequest = createRequestHandler(dependencies)
  const plainTopics = createPlainTopics({ db, link })

  return async function handleMessage(deviceTopic: DeviceTopic, topic: string, payload: Buffer) {
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
      if (device && !device.disabled && reply.code === 200)
        recordPropertyPost(states, device, reply.data)
    }
    commands.handleReply(deviceTopic, reply)
  }
}

/** Handles messages of devices and replies to them. */
export function createMessageReceiver(dependencies: IngestDependencies) {
  const { directory, states, sessions, siblings, observedKeys, reportError } = dependencies
  const enqueueForDevice = createKeyedQueue()
  const handleMessage = createMessageHandler(dependencies)

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
      if (siblings.hear(topic, payload)) return undefined
      const presence = topic.startsWith('$SYS/') ? readPresence(topic, payload) : undefined
      const deviceTopic = presence ?? parseDeviceTopic(topic)
      if (!deviceTopic) return undefined
      const key = deviceKey(deviceTopic)
      const isOwner = siblings.owns(key)
      if (presence)
        return isOwner
          ? enqueueForDevice(key, () => sessions.handlePresence(presence).catch(ignoreHandled))
          : undefined
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
    return undefined
  }
}
