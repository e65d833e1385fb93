import { z } from 'zod'
import { AlinkError, alinkCode, parseParams, type Identity } from '../protocol/alink'
import type { Directory, KnownDevice } from '../directory'
import type { DeviceSessions } from '../topology/deviceSessions'

const Name = z.string().min(1).max(64)
const TimedValue = z.object({ value: z.unknown(), time: z.unknown().optional() })
const recordByName = <T extends z.ZodType>(item: T) => z.record(z.string(), item).default({})
const IdentitySchema = z.object({ productKey: Name, deviceName: Name })

/** `batch/post` carries several values for each identifier. */
const BatchPost = z.object({
  properties: recordByName(z.array(TimedValue)),
  events: recordByName(z.array(TimedValue)),
})
/** `pack/post` carries one value for each identifier, for a gateway and its sub-devices. */
const DevicePost = z.object({
  properties: recordByName(z.unknown()),
  events: recordByName(TimedValue),
})
const PackPost = DevicePost.extend({
  subDevices: z.array(DevicePost.extend({ identity: IdentitySchema })).default([]),
})
/** `history/post` carries values that could not be sent in time, for a gateway or its sub-devices. */
const HistoryPost = z.array(
  z.object({
    identity: IdentitySchema,
    properties: z.array(recordByName(z.unknown())).default([]),
    events: z.array(recordByName(TimedValue)).default([]),
  }),
)

const maxValuesPerPost = 200
const maxChildrenPerPost = 20

type BatchDependencies = {
  directory: Directory
  sessions: DeviceSessions
  /** Handles a property post and returns the reason for each value that was not stored. */
  report: (device: KnownDevice, params: unknown, isHistory?: boolean) => Record<string, string>
  recordEvent: (device: KnownDevice, identifier: string, params: unknown) => Promise<unknown>
}

/**
 * Handles posts with many values, for the device itself or the sub-devices of a gateway. Rejected values are named in
 * the reply, as in a single property post.
 */
export function createBatchHandlers({
  directory,
  sessions,
  report,
  recordEvent,
}: BatchDependencies) {
  async function findSender(device: KnownDevice, identity: Identity) {
    const { productKey, deviceName } = identity
    if (productKey === device.productKey && deviceName === device.deviceName) return device
    const child = await directory.find(identity)
    if (!child || child.projectId !== device.projectId)
      throw new AlinkError(alinkCode.deviceMissing, deviceName)
    if (child.gatewayId !== device.id) throw new AlinkError(alinkCode.topologyMissing, deviceName)
    if (!sessions.has(device, child)) throw new AlinkError(alinkCode.noSession, deviceName)
    if (child.disabled) throw new AlinkError(alinkCode.disabled, deviceName)
    return child
  }
  /**
   * Stores all values and events of a device in the given order.
   * @returns the reason for each identifier that was not stored
   */
  async function storePost(
    device: KnownDevice,
    properties: unknown[],
    events: [string, unknown][],
    isHistory = false,
  ) {
    const errors: Record<string, string> = {}
    for (const values of properties) Object.assign(errors, report(device, values, isHistory))
    for (const [identifier, timedValue] of events)
      try {
        await recordEvent(device, identifier, timedValue)
      } catch (error) {
        if (!(error instanceof AlinkError)) throw error
        errors[identifier] = error.message
      }
    return errors
  }
  function assertWithinLimits(values: number, events: number, children = 0) {
    if (values > maxValuesPerPost) throw new AlinkError(alinkCode.tooMany)
    if (events > maxValuesPerPost) throw new AlinkError(alinkCode.tooManyEvents)
    if (children > maxChildrenPerPost) throw new AlinkError(alinkCode.tooManyChildrenAtOnce)
  }

  const actions: Record<string, (device: KnownDevice, params: unknown) => Promise<unknown>> = {
    async 'thing/event/property/batch/post'(device, params) {
      const { properties, events } = parseParams(BatchPost, params)
      const timedProperties = Object.entries(properties).flatMap(([identifier, list]) =>
        list.map((moment) => ({ identifier, moment })),
      )
      const timedEvents = Object.entries(events).flatMap(([identifier, list]) =>
        list.map((timedValue): [string, unknown] => [identifier, timedValue]),
      )
      assertWithinLimits(timedProperties.length, timedEvents.length)
      return storePost(
        device,
        timedProperties
          .sort((one, other) => getTime(one.moment) - getTime(other.moment))
          .map(({ identifier, moment }) => ({ [identifier]: moment })),
        timedEvents,
        true,
      )
    },
    async 'thing/event/property/pack/post'(device, params) {
      const { subDevices, ...ownPost } = parseParams(PackPost, params)
      const posts = [ownPost, ...subDevices]
      assertWithinLimits(
        Math.max(...posts.map(({ properties }) => Object.keys(properties).length)),
        posts.reduce((sum, { events }) => sum + Object.keys(events).length, 0),
        subDevices.length,
      )
      // All sub-devices are checked before anything is stored, because one invalid sub-device rejects the whole pack.
      const senders = await Promise.all(
        subDevices.map(({ identity }) => findSender(device, identity)),
      )
      const errors = await Promise.all(
        [device, ...senders].map((sender, index) =>
          storePost(sender, [posts[index]!.properties], Object.entries(posts[index]!.events)),
        ),
      )
      return Object.assign({}, ...errors.reverse()) as Record<string, string>
    },
    async 'thing/event/property/history/post'(device, params) {
      const historyPosts = parseParams(HistoryPost, params)
      assertWithinLimits(
        historyPosts.flatMap(({ properties }) => properties.flatMap(Object.keys)).length,
        historyPosts.flatMap(({ events }) => events.flatMap(Object.keys)).length,
        historyPosts.length,
      )
      const senders = await Promise.all(
        historyPosts.map(({ identity }) => findSender(device, identity)),
      )
      const errors = await Promise.all(
        historyPosts.map(({ properties, events }, index) =>
          storePost(senders[index]!, properties, events.flatMap(Object.entries), true),
        ),
      )
      return Object.assign({}, ...errors) as Record<string, string>
    },
  }
  return {
    handles: (action: string) => Object.hasOwn(actions, action),
    answer: async (device: KnownDevice, action: string, params: unknown) =>
      actions[action]!(device, params),
  }
}

const getTime = ({ time }: z.infer<typeof TimedValue>) => Number(time) || 0
