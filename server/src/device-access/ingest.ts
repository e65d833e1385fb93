import type { Db } from '../core/db/db'
import {
  AlinkError,
  alinkCode,
  answer,
  decode,
  refuseUnreadable,
  keyOf,
  Reply,
  Request,
  type Identity,
} from './alink'
import { openBatches } from './batches'
import type { Commands } from './commands'
import type { Directory, KnownDevice } from './directory'
import { openDuplicates } from './duplicates'
import { openEvents } from './events'
import type { Link } from './link'
import type { Messages } from './messages'
import { openPlainTopics } from './plainTopics'
import { readPresence } from './presenceTopics'
import type { DeviceSessions } from './sessions'
import type { Siblings } from './siblings'
import type { States } from './states'
import { complaints, readValues } from './readValues'
import type { ThingRequests } from './thingRequests'
import { locate, topicOf, type Located } from './topics'
import type { Topology } from './topology'
import { openTurns } from './turns'

type Parts = {
  db: Db
  directory: Directory
  states: States
  sessions: DeviceSessions
  siblings: Siblings
  /** Keys of devices whose reports matter to this process even if another process handles them. */
  overheard: ReadonlySet<string>
  topology: Topology
  requests: ThingRequests
  messages: Messages
  commands: Commands
  link: () => Link | undefined
  reportError: (error: Error) => void
  /** Set for an external broker that may not send presence events: a device that sends a message counts as online. */
  speakersAreOnline: boolean
}

/**
 * Matches replies to synchronous calls: below `rrpc/response`, or on the topic of the call, with or without `_reply`.
 */
const Rrpc = /^rrpc\/(?:response\/([^/]+)$|([^/]+)\/.+$)/
const Event = /^thing\/event\/([A-Za-z]\w{0,63})\/post$/

/** Handles messages of devices and replies to them. Every request ends in an Alink code. */
export function openIngest({
  db,
  directory,
  states,
  sessions,
  siblings,
  overheard,
  topology,
  requests,
  messages,
  commands,
  link,
  reportError,
  speakersAreOnline,
}: Parts) {
  const duplicates = openDuplicates()
  const turn = openTurns()
  const occur = openEvents(db, (projectId) => states.events.emit('incident', projectId))
  const batches = openBatches({ directory, sessions, report, occur })
  const plain = openPlainTopics({ db, link })

  function report(device: KnownDevice, params: unknown, isHistory = false) {
    const read = readValues(device.model.properties, params)
    const forgotten = new Set(
      device.model.properties.filter(({ isHistory }) => !isHistory).map((one) => one.identifier),
    )
    const keeps = (identifier: string) => !forgotten.has(identifier)
    const late = states.report(device, read.values, {
      times: read.times,
      keeps,
      isHistory,
      dropped: read.reasons,
    })
    return { ...complaints(read), ...late }
  }

  async function work(device: KnownDevice, action: string, params: unknown): Promise<unknown> {
    if (device.disabled) throw new AlinkError(alinkCode.disabled)
    if (speakersAreOnline) states.online(device)
    if (topology.handles(action)) {
      await sessions.know(device)
      const data = await topology.answer(device, action, params)
      // The new session is written before the reply, because an external broker may ask another process about it at
      // once.
      await states.flush()
      return data
    }
    if (requests.handles(action)) return requests.answer(device, action, params)
    if (batches.handles(action)) {
      await sessions.know(device)
      return batches.answer(device, action, params)
    }
    const identifier = Event.exec(action)?.[1]
    if (!identifier) throw new AlinkError(alinkCode.parameter)
    return identifier === 'property' ? report(device, params) : occur(device, identifier, params)
  }

  async function request(identity: Identity, action: string, payload: Buffer) {
    const message = decode(Request, payload)
    const reply = (text: string) => link()?.publish(topicOf(identity, `${action}_reply`), text)
    if (!message) return reply(refuseUnreadable(payload))
    async function worked(request: Request) {
      try {
        const device = await directory.find(identity)
        if (!device) throw new AlinkError(alinkCode.deviceMissing)
        return answer(request, alinkCode.ok, await work(device, action, request.params))
      } catch (error) {
        if (!(error instanceof AlinkError)) throw error
        return answer(request, error.code, error.data, error.message)
      }
    }
    // Duplicates are removed for events only; a repeated query must return the current state.
    const connection = action.startsWith('thing/event/')
      ? sessions.connectionOf(identity)
      : undefined
    const text = await duplicates
      .once(connection, action, message.id, payload, () => worked(message))
      .catch((error: unknown) => {
        reportError(error instanceof Error ? error : new Error(String(error)))
        return answer(message, 500, {}, 'system error')
      })
    if (message.sys?.ack !== 0) reply(text)
  }

  async function hear(at: Located, topic: string, payload: Buffer) {
    const device = await directory.find(at)
    // Several processes may hear a reply; only the owner of the device stores it.
    if (device && !device.disabled && siblings.owns(keyOf(at)))
      messages.keep(device, 'up', topic, payload)
    if (plain.handles(at.action))
      return device && !device.disabled && plain.take(device, at.action, payload)
    const call = Rrpc.exec(at.action)
    if (call) {
      // A device may echo the request on this topic; an echo has no code and is not decoded as a reply.
      const reply = decode(Reply, payload)
      return reply && commands.replied(at, { ...reply, id: call[1] ?? call[2]! })
    }
    const isAnswer = at.action.endsWith('_reply')
    if (!isAnswer && !at.action.startsWith('thing/service/')) return request(at, at.action, payload)
    const reply = isAnswer ? decode(Reply, payload) : undefined
    if (!reply) return
    if (at.action === 'thing/service/property/get_reply' && siblings.owns(keyOf(at))) {
      if (device && !device.disabled && reply.code === 200) report(device, reply.data)
    }
    commands.replied(at, reply)
  }

  /** Another process stores this report; here it only serves control tasks that wait for it. */
  async function overhear(at: Located, payload: Buffer) {
    const device = await directory.find(at)
    const message = decode(Request, payload)
    if (!device || !message || device.disabled) return
    const { values, times } = readValues(device.model.properties, message.params)
    states.overhear(device, values, times)
  }

  return function receive(topic: string, payload: Buffer) {
    const quietly = (error: unknown) => {
      if (!(error instanceof AlinkError))
        reportError(error instanceof Error ? error : new Error(String(error)))
    }
    try {
      if (siblings.hear(topic, payload)) return
      const presence = topic.startsWith('$SYS/') ? readPresence(topic, payload) : undefined
      const at = presence ?? locate(topic)
      if (!at) return
      const key = keyOf(at)
      const mine = siblings.owns(key)
      if (presence) return mine && turn(key, () => sessions.presence(presence).catch(quietly))
      const said = at as Located
      // The process that sent the command handles the reply.
      const isAnswer = said.action.endsWith('_reply') || Rrpc.test(said.action)
      if (mine || isAnswer) return turn(key, () => hear(said, topic, payload).catch(quietly))
      if (overheard.has(key) && said.action === 'thing/event/property/post')
        return turn(key, () => overhear(said, payload).catch(quietly))
    } catch (error) {
      quietly(error)
    }
  }
}
