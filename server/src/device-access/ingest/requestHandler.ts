import { LeaseLostError } from '../../core/lease/leaseQueries'
import type { WriteAsHolder } from '../../core/lease/leases'
import {
  AlinkError,
  alinkCode,
  encodeReply,
  decode,
  buildUnreadableReply,
  Request,
  type Identity,
} from '../protocol/alink'
import { buildDeviceTopic } from '../protocol/topics'
import type { BrokerLink } from '../broker/brokerLink'
import type { Directory, KnownDevice } from '../directory'
import type { DeviceSessions } from '../topology/deviceSessions'
import type { Topology } from '../topology/topology'
import { createBatchHandlers } from './batchPosts'
import type { States } from './deviceStates'
import { createEventRecorder } from './eventRecorder'
import { createMessageDeduplicator } from './messageDeduplicator'
import { recordPropertyPost } from './recordPropertyPost'
import type { ThingRequests } from './thingRequests'

type ActionDependencies = {
  writeAsHolder: WriteAsHolder
  directory: Directory
  states: States
  sessions: DeviceSessions
  topology: Topology
  requests: ThingRequests
  /** Set for an external broker that may not send presence events: a device that sends a message counts as online. */
  shouldMarkSendersOnline: boolean
}
export type RequestDependencies = ActionDependencies & {
  link: () => BrokerLink | undefined
  reportError: (error: Error) => void
}

const eventPostPattern = /^thing\/event\/([A-Za-z]\w{0,63})\/post$/

/** Carries out the requests of devices and returns the `data` of the reply. */
function createActionHandler({
  writeAsHolder,
  directory,
  states,
  sessions,
  topology,
  requests,
  shouldMarkSendersOnline,
}: ActionDependencies) {
  const storeEvent = createEventRecorder(writeAsHolder, states.eventWriters)
  const batchPosts = createBatchHandlers({
    directory,
    sessions,
    report: (device, params, isHistory) => recordPropertyPost(states, device, params, isHistory),
    recordEvent: storeEvent,
  })

  return async function handleAction(
    device: KnownDevice,
    action: string,
    params: unknown,
    isRedelivered: boolean,
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
      ? recordPropertyPost(states, device, params)
      : storeEvent(device, identifier, params, isRedelivered)
  }
}

/** Handles requests of devices and publishes the replies. Every request ends in an Alink code. */
export function createRequestHandler(dependencies: RequestDependencies) {
  const { directory, sessions, link, reportError } = dependencies
  const deduplicator = createMessageDeduplicator()
  const handleAction = createActionHandler(dependencies)

  return async function handleRequest(
    identity: Identity,
    action: string,
    payload: Buffer,
    isRedelivered: boolean,
  ) {
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
          await handleAction(device, action, request.params, isRedelivered),
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
        // The process that has taken over receives the message again and replies.
        if (error instanceof LeaseLostError) throw error
        reportError(error instanceof Error ? error : new Error(String(error)))
        return encodeReply(message, 500, {}, 'system error')
      })
    if (message.sys?.ack !== 0) reply(text)
  }
}
