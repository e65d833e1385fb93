import { deviceEvent } from '../tables/device'
import type { Db } from '../core/db/db'
import {
  AlinkError,
  alinkCode,
  answer,
  decode,
  keyOf,
  Reply,
  Request,
  type Identity,
} from './alink'
import type { Commands } from './commands'
import type { Directory, KnownDevice } from './directory'
import { openDuplicates } from './duplicates'
import type { Link } from './link'
import { readPresence } from './presenceTopics'
import type { DeviceSessions } from './sessions'
import type { States } from './states'
import { complaints, readValues } from './readValues'
import { locate, topicOf } from './topics'
import type { Topology } from './topology'

type Parts = {
  db: Db
  directory: Directory
  states: States
  sessions: DeviceSessions
  topology: Topology
  commands: Commands
  link: () => Link | undefined
  reportError: (error: Error) => void
  /** Of a broker that may not say who comes and goes: who speaks is there. */
  speakersAreOnline: boolean
}

const Event = /^thing\/event\/([A-Za-z]\w{0,63})\/post$/

/** Takes what devices send and answers it. Whatever they send, it ends in an Alink code. */
export function openIngest({
  db,
  directory,
  states,
  sessions,
  topology,
  commands,
  link,
  reportError,
  speakersAreOnline,
}: Parts) {
  const duplicates = openDuplicates()

  async function work(device: KnownDevice, action: string, params: unknown): Promise<unknown> {
    if (device.disabled) throw new AlinkError(alinkCode.disabled)
    if (speakersAreOnline) states.online(device)
    if (topology.handles(action)) return topology.answer(device, action, params)
    const identifier = Event.exec(action)?.[1]
    if (!identifier) throw new AlinkError(alinkCode.parameter)
    if (identifier === 'property') {
      const read = readValues(device.model.properties, params)
      states.report(device, read.values)
      return complaints(read)
    }
    const event = device.model.events.find((one) => one.identifier === identifier)
    if (!event && device.model.events.length > 0) throw new AlinkError(alinkCode.event, identifier)
    const { values, wrong } = readValues(event?.outputData ?? [], unwrapEvent(params))
    // An event is kept whole or not at all.
    for (const [name, { code }] of Object.entries(wrong)) throw new AlinkError(code, name)
    await db.insert(deviceEvent).values({
      projectId: device.projectId,
      deviceId: device.id,
      identifier,
      type: event?.type ?? 'info',
      params: values,
      time: new Date().toISOString(),
    })
    return {}
  }

  async function request(identity: Identity, action: string, payload: Buffer) {
    const message = decode(Request, payload)
    const reply = (text: string) => link()?.publish(topicOf(identity, `${action}_reply`), text)
    if (!message) return reply(answer({ id: '' }, alinkCode.parameter))
    const text = await duplicates.once(keyOf(identity), action, message.id, payload, async () => {
      try {
        const device = await directory.find(identity)
        if (!device) throw new AlinkError(alinkCode.deviceMissing)
        return answer(message, alinkCode.ok, await work(device, action, message.params))
      } catch (error) {
        if (error instanceof AlinkError)
          return answer(message, error.code, error.data, error.message)
        reportError(error instanceof Error ? error : new Error(String(error)))
        return answer(message, 500, {}, 'system error')
      }
    })
    if (message.sys?.ack !== 0) reply(text)
  }

  return async function receive(topic: string, payload: Buffer) {
    try {
      if (topic.startsWith('$SYS/')) {
        const presence = readPresence(topic, payload)
        return presence && (await sessions.presence(presence))
      }
      const at = locate(topic)
      if (!at) return
      if (!at.action.startsWith('thing/service/')) return await request(at, at.action, payload)
      const reply = at.action.endsWith('_reply') ? decode(Reply, payload) : undefined
      if (reply) commands.replied(at, reply)
    } catch (error) {
      reportError(error instanceof Error ? error : new Error(String(error)))
    }
  }
}

/** `{value, time}` around the output parameters, as newer devices send events. */
const unwrapEvent = (params: unknown) =>
  typeof params === 'object' &&
  params !== null &&
  'value' in params &&
  typeof params.value === 'object'
    ? params.value
    : (params ?? {})
