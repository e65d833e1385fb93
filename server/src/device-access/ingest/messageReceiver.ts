import type { Db } from '../../core/db/db'
import { LeaseLostError } from '../../core/lease/leaseQueries'
import { AlinkError, decode, deviceKey, Reply, type Identity } from '../protocol/alink'
import type { Commands } from '../commands/commands'
import type { MessageLog } from '../history/messageLog'
import { createPlainTopics } from './plainTopics'
import { readPresence } from '../broker/presenceTopics'
import { parseDeviceTopic, type DeviceTopic } from '../protocol/topics'
import { createKeyedQueue } from './keyedQueue'
import { recordPropertyPost } from './recordPropertyPost'
import { createRequestHandler, type RequestDependencies } from './requestHandler'

type IngestDependencies = RequestDependencies & {
  db: Db
  /** Returns true if a partition of this process handles the device. */
  owns: (identity: Identity) => boolean
  messages: MessageLog
  commands: Commands
}

/**
 * Matches replies to synchronous calls: below `rrpc/response`, or on the topic of the call, with or without `_reply`.
 */
const rrpcReplyPattern = /^rrpc\/(?:response\/([^/]+)$|([^/]+)\/.+$)/

/** Handles one message of a device: a plain topic, a request, or a reply to a command. */
function createMessageHandler(dependencies: IngestDependencies) {
  const { db, writeAsHolder, directory, states, messages, commands, link } = dependencies
  const handleRequest = createRequestHandler(dependencies)
  const plainTopics = createPlainTopics({ db, writeAsHolder, link })

  return async function handleMessage(
    deviceTopic: DeviceTopic,
    topic: string,
    payload: Buffer,
    isRedelivered: boolean,
  ) {
    const device = await directory.find(deviceTopic)
    if (device && !device.disabled) messages.record(device, 'up', topic, payload)
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
      return handleRequest(deviceTopic, deviceTopic.action, payload, isRedelivered)
    const reply = isReply ? decode(Reply, payload) : undefined
    if (!reply) return
    if (deviceTopic.action === 'thing/service/property/get_reply') {
      if (device && !device.disabled && reply.code === 200)
        recordPropertyPost(states, device, reply.data)
    }
    commands.handleReply(deviceTopic, reply)
  }
}

/**
 * Handles messages of devices and replies to them, those of one device in their order. The result resolves once the
 * message is handled and the states that it changed are stored.
 */
export function createMessageReceiver(dependencies: IngestDependencies) {
  const { states, sessions, owns, reportError } = dependencies
  const enqueueForDevice = createKeyedQueue()
  const handleMessage = createMessageHandler(dependencies)

  async function handle(topic: string, payload: Buffer, isRedelivered: boolean) {
    const presence = topic.startsWith('$SYS/') ? readPresence(topic, payload) : undefined
    const deviceTopic = presence ?? parseDeviceTopic(topic)
    if (!deviceTopic) return
    await enqueueForDevice(deviceKey(deviceTopic), () =>
      (presence
        ? // Presence events are not sent by product, so every partition hears them.
          Promise.resolve(owns(presence) ? sessions.handlePresence(presence) : undefined)
        : Promise.resolve(handleMessage(deviceTopic as DeviceTopic, topic, payload, isRedelivered))
      ).catch(ignoreHandled),
    )
    await new Promise<void>((resolve) => states.onceStored(resolve))
  }
  const ignoreHandled = (error: unknown) => {
    if (!(error instanceof AlinkError || error instanceof LeaseLostError))
      reportError(error instanceof Error ? error : new Error(String(error)))
  }

  return (topic: string, payload: Buffer, isRedelivered: boolean) =>
    handle(topic, payload, isRedelivered).catch(ignoreHandled)
}
