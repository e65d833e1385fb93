import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import type { ChangedDevice } from './ingest/writeDeviceRows'
import { runInBackground } from '../core/db/outage'

const beatEvery = 2000
/** A member that was silent for this long (ms) handles no device, in its own eyes and in those of the others. */
const standstill = 8000
const processes = 'platform/process/'
const words = 'platform/word/'

/** Messages between the members of the cluster. */
type Told = {
  /** Rows of devices that were just written. */
  states: ChangedDevice[]
}
const Word = z.object({ kind: z.enum(['states']), data: z.any() })

type Publish = (topic: string, payload: string, options?: { retain: boolean }) => Promise<unknown>

/**
 * Forms a cluster of the processes on one broker. Each member hears all devices and handles those that a hash over the
 * living members assigns to it. One device's messages are therefore handled in order by one member at a time, and the
 * last will of an ended member passes its share on at once.
 *
 * All members see joins, exits and device messages in the same order, because the broker serialises them. A member that
 * was silent for too long leaves the cluster in its own view too, until it receives its own heartbeat, so that queued
 * messages are not handled twice.
 * @param isSingleProcess true on the embedded broker, which has no other members
 */
export function openSiblings(isSingleProcess: boolean) {
  const me = uuidv7()
  /** Time in ms at which each member was last heard. */
  const members = new Map<string, number>()
  const events = new EventEmitter<
    { [K in keyof Told]: [Told[K]] } & {
      /** This member is the first one again; device messages since `since` were missed. */
      alone: [since: number]
      /** A member ended without leaving; `lastHeardMs` is its last heartbeat. */
      gone: [id: string, heard: number]
      /** The assignment of devices to members has changed. */
      changed: []
    }
  >()
  const failureText = '集群消息未发出'
  let publish: Publish | undefined
  let lostSince = Date.now()
  let timer: NodeJS.Timeout | undefined

  const say = async (topic: string, payload: string, retain = false) => {
    // A failed publish is ignored, because the others detect the missing heartbeat.
    await publish?.(topic, payload, { retain }).catch(() => {})
  }
  const living = () => {
    const since = Date.now() - standstill
    return [...members].filter(([, lastHeardMs]) => lastHeardMs > since).map(([id]) => id)
  }
  const computeWeight = (id: string, key: string) =>
    createHash('sha1').update(`${id}|${key}`).digest().readUInt32BE()
  const findOwner = (key: string, candidateIds: string[]) =>
    candidateIds.reduce<[string, number]>(
      (best, id) => {
        const weight = computeWeight(id, key)
        return weight > best[1] ? [id, weight] : best
      },
      ['', -1],
    )[0]

  function beat() {
    runInBackground(say(processes + me, 'here', true), failureText)
    for (const [id, lastHeardMs] of members) {
      if (id === me || lastHeardMs > Date.now() - standstill) continue
      remove(id, lastHeardMs)
      // The retained heartbeat of a dead member is cleared, so that a new member does not count it as living.
      runInBackground(say(processes + id, '', true), failureText)
    }
  }
  function remove(id: string, lastHeardMs?: number) {
    if (!members.delete(id)) return
    events.emit('changed')
    if (lastHeardMs !== undefined) events.emit('gone', id, lastHeardMs)
  }

  function handleHeartbeat(id: string, payload: string) {
    const lastHeardMs = members.get(id)
    if (payload === 'here') {
      members.set(id, Date.now())
      if (lastHeardMs !== undefined) return
      events.emit('changed')
      if (id === me && living().length === 1) events.emit('alone', lostSince)
    } else if (payload === 'leaving') remove(id)
    // An empty message for this member is the last will of its previous connection.
    else if (id === me) beat()
    else remove(id, lastHeardMs)
  }

  return {
    events,
    topics: isSingleProcess ? [] : [`${processes}+`, `${words}+`],
    will: isSingleProcess
      ? undefined
      : { topic: processes + me, payload: Buffer.from(''), qos: 1 as const, retain: true },
    /** Joins the cluster; the link is connected and all subscriptions stand. */
    joined(through: Publish) {
      publish = through
      if (isSingleProcess) return
      clearInterval(timer)
      timer = setInterval(beat, beatEvery).unref()
      beat()
    },
    parted() {
      if (members.size > 0) lostSince = Date.now()
      members.clear()
    },
    /** Returns true if the message came from a member of the cluster. */
    hear(topic: string, payload: Buffer) {
      if (topic.startsWith(processes))
        handleHeartbeat(topic.slice(processes.length), payload.toString('utf8'))
      else if (!topic.startsWith(words)) return false
      else if (topic !== words + me) {
        const { kind, data } = Word.parse(JSON.parse(payload.toString('utf8')))
        events.emit(kind, data as never)
      }
      return true
    },
    /** Returns true if this process handles the messages of the device. */
    owns: (key: string) => isSingleProcess || findOwner(key, living()) === me,
    /** Returns true if the device is assigned to this member now and was assigned to `from` before. */
    inherits: (key: string, from: string) =>
      findOwner(key, [...living(), from]) === from && findOwner(key, living()) === me,
    hasOthers: () => !isSingleProcess && living().length > 1,
    tell<K extends keyof Told>(kind: K, data: Told[K]) {
      if (!isSingleProcess)
        runInBackground(say(words + me, JSON.stringify({ kind, data })), failureText)
    },
    async leave() {
      clearInterval(timer)
      if (isSingleProcess) return
      const last = [say(processes + me, 'leaving'), say(processes + me, '', true)]
      publish = undefined
      await Promise.all(last)
    },
  }
}
export type Siblings = ReturnType<typeof openSiblings>
