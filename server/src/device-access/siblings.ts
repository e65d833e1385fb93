import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Values } from '@iot/shared/contract/device'
import type { Approval } from '@iot/shared/contract/approval'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import type { TaskRow } from '../core/tasks/queries'
import type { Identity } from './alink'
import type { Changed } from './states'

const beatEvery = 2000
/** A process that was not heard for so long works on nothing, neither for the others nor for itself. */
const standstill = 8000
const processes = 'platform/process/'
const words = 'platform/word/'
/** Kept by the broker, which is asked about a device by one process and outlives them all. */
const callsBehindId = 'platform/rrpc/'

/** What processes tell each other. */
type Told = {
  /** Rows of devices as they were just written. */
  states: Changed[]
  task: TaskRow
  /** Commands that left here for something else end these rows of another's task. */
  overridden: { taskId: string; deviceIds: string[]; reason: string }
  /** Desired values that are about to be sent to devices. */
  commands: { id: string; values: Values }[]
  /** Devices that were changed, disabled or deleted. */
  forget: Identity[]
  /** Devices that will answer nobody any more, and why. */
  ended: { identities: Identity[]; why: string }
  approval: Approval
  /** How many incidents of a project nobody acknowledged. */
  shift: { projectId: number; open: number }
}
const Word = z.object({
  kind: z.enum([
    'states',
    'task',
    'overridden',
    'commands',
    'forget',
    'ended',
    'approval',
    'shift',
  ]),
  data: z.any(),
})

type Publish = (topic: string, payload: string, options?: { retain: boolean }) => Promise<unknown>

/**
 * The processes of one platform on one broker. Each hears what every device says, and works on the devices that fall to
 * it by a hash over the processes that live; so one device's messages are worked on in their order by one process at a
 * time, and a process that ends leaves its share to the others at once: its last will says so.
 *
 * Everybody learns in the same order who came and went and what devices said, because the broker puts both into one row.
 * A process that was silent for too long is out of it in its own eyes, too, until it hears itself again: what piled up
 * meanwhile is not worked on twice.
 * @param alone on the embedded broker there are no others
 */
export function openSiblings(alone: boolean) {
  const me = uuidv7()
  /** When each was last heard. */
  const members = new Map<string, number>()
  const events = new EventEmitter<
    { [K in keyof Told]: [Told[K]] } & {
      /** Heard again after nobody listened since then. */
      alone: [since: number]
      /** It ended without a word; until then it was heard. */
      gone: [id: string, heard: number]
      /** How this device wants to be asked: as /ext/rrpc/…, or not. */
      rrpc: [key: string, isBehindId: boolean]
      /** Who works on what has changed. */
      changed: []
    }
  >()
  let publish: Publish | undefined
  let lost = Date.now()
  let timer: NodeJS.Timeout | undefined

  const say = (topic: string, payload: string, retain = false) =>
    // Where the broker is away nobody hears it; that is known by its silence.
    publish?.(topic, payload, { retain }).catch(() => {})
  const living = () => {
    const since = Date.now() - standstill
    return [...members].filter(([, heard]) => heard > since).map(([id]) => id)
  }
  const weightOf = (id: string, key: string) =>
    createHash('sha1').update(`${id}|${key}`).digest().readUInt32BE()
  const ownerOf = (key: string, among: string[]) =>
    among.reduce<[string, number]>(
      (best, id) => {
        const weight = weightOf(id, key)
        return weight > best[1] ? [id, weight] : best
      },
      ['', -1],
    )[0]

  function beat() {
    void say(processes + me, 'here', true)
    for (const [id, heard] of members) {
      if (id === me || heard > Date.now() - standstill) continue
      remove(id, heard)
      // What it left with the broker would be taken for its word by who comes next.
      void say(processes + id, '', true)
    }
  }
  function remove(id: string, heard?: number) {
    if (!members.delete(id)) return
    events.emit('changed')
    if (heard !== undefined) events.emit('gone', id, heard)
  }

  function heardOf(id: string, payload: string) {
    const heard = members.get(id)
    if (payload === 'here') {
      members.set(id, Date.now())
      if (heard !== undefined) return
      events.emit('changed')
      if (id === me && living().length === 1) events.emit('alone', lost)
    } else if (payload === 'leaving') remove(id)
    // A will of the connection before this one.
    else if (id === me) beat()
    else remove(id, heard)
  }

  return {
    events,
    topics: alone ? [] : [`${processes}+`, `${words}+`, `${callsBehindId}+`],
    will: alone
      ? undefined
      : { topic: processes + me, payload: Buffer.from(''), qos: 1 as const, retain: true },
    /** The link stands, and everything is subscribed. */
    joined(through: Publish) {
      publish = through
      if (alone) return
      clearInterval(timer)
      timer = setInterval(beat, beatEvery).unref()
      beat()
    },
    parted() {
      if (members.size > 0) lost = Date.now()
      members.clear()
    },
    /** Whether the message was one of a process. */
    hear(topic: string, payload: Buffer) {
      if (topic.startsWith(processes))
        heardOf(topic.slice(processes.length), payload.toString('utf8'))
      else if (topic.startsWith(callsBehindId))
        events.emit('rrpc', topic.slice(callsBehindId.length), payload.length > 0)
      else if (!topic.startsWith(words)) return false
      else if (topic !== words + me) {
        const { kind, data } = Word.parse(JSON.parse(payload.toString('utf8')))
        events.emit(kind, data as never)
      }
      return true
    },
    /** Whether what this device says is worked on here. */
    owns: (key: string) => alone || ownerOf(key, living()) === me,
    /** Whether it falls to this process now, and fell to that one while it lived. */
    inherits: (key: string, from: string) =>
      ownerOf(key, [...living(), from]) === from && ownerOf(key, living()) === me,
    hasOthers: () => !alone && living().length > 1,
    tell<K extends keyof Told>(kind: K, data: Told[K]) {
      if (!alone) void say(words + me, JSON.stringify({ kind, data }))
    },
    /** Tells those that come later too. */
    tellRrpc(key: string, isBehindId: boolean) {
      if (!alone) void say(callsBehindId + key, isBehindId ? 'ext' : '', true)
    },
    async leave() {
      clearInterval(timer)
      if (alone) return
      const last = [say(processes + me, 'leaving'), say(processes + me, '', true)]
      publish = undefined
      await Promise.all(last)
    },
  }
}
export type Siblings = ReturnType<typeof openSiblings>
