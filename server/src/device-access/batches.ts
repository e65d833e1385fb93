import { z } from 'zod'
import { AlinkError, alinkCode, paramsOf, type Identity } from './alink'
import type { Directory, KnownDevice } from './directory'
import type { DeviceSessions } from './sessions'

const Name = z.string().min(1).max(64)
const Moment = z.object({ value: z.unknown(), time: z.unknown().optional() })
const ByName = <T extends z.ZodType>(item: T) => z.record(z.string(), item).default({})
const Identified = z.object({ productKey: Name, deviceName: Name })

/** `batch/post` carries several values for each identifier. */
const Batch = z.object({ properties: ByName(z.array(Moment)), events: ByName(z.array(Moment)) })
/** `pack/post` carries one value for each identifier, for a gateway and its sub-devices. */
const Part = z.object({ properties: ByName(z.unknown()), events: ByName(Moment) })
const Pack = Part.extend({ subDevices: z.array(Part.extend({ identity: Identified })).default([]) })
/** `history/post` carries values that could not be sent in time, for a gateway or its sub-devices. */
const Past = z.array(
  z.object({
    identity: Identified,
    properties: z.array(ByName(z.unknown())).default([]),
    events: z.array(ByName(Moment)).default([]),
  }),
)

const valuesMost = 200
const childrenMost = 20

type Parts = {
  directory: Directory
  sessions: DeviceSessions
  /** Handles a property post and returns the reason for each value that was not stored. */
  report: (device: KnownDevice, params: unknown, isHistory?: boolean) => Record<string, string>
  occur: (device: KnownDevice, identifier: string, params: unknown) => Promise<unknown>
}

/**
 * Handles posts with many values, for the device itself or the sub-devices of a gateway. Rejected values are named in
 * the reply, as in a single property post.
 */
export function openBatches({ directory, sessions, report, occur }: Parts) {
  async function speaksFor(device: KnownDevice, identity: Identity) {
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
  async function take(
    device: KnownDevice,
    properties: unknown[],
    events: [string, unknown][],
    isHistory = false,
  ) {
    const wrong: Record<string, string> = {}
    for (const values of properties) Object.assign(wrong, report(device, values, isHistory))
    for (const [identifier, moment] of events)
      try {
        await occur(device, identifier, moment)
      } catch (error) {
        if (!(error instanceof AlinkError)) throw error
        wrong[identifier] = error.message
      }
    return wrong
  }
  function bounded(values: number, events: number, children = 0) {
    if (values > valuesMost) throw new AlinkError(alinkCode.tooMany)
    if (events > valuesMost) throw new AlinkError(alinkCode.tooManyEvents)
    if (children > childrenMost) throw new AlinkError(alinkCode.tooManyChildrenAtOnce)
  }

  const actions: Record<string, (device: KnownDevice, params: unknown) => Promise<unknown>> = {
    async 'thing/event/property/batch/post'(device, params) {
      const { properties, events } = paramsOf(Batch, params)
      const moments = Object.entries(properties).flatMap(([identifier, list]) =>
        list.map((moment) => ({ identifier, moment })),
      )
      const happened = Object.entries(events).flatMap(([identifier, list]) =>
        list.map((moment): [string, unknown] => [identifier, moment]),
      )
      bounded(moments.length, happened.length)
      return take(
        device,
        moments
          .sort((one, other) => timeOf(one.moment) - timeOf(other.moment))
          .map(({ identifier, moment }) => ({ [identifier]: moment })),
        happened,
        true,
      )
    },
    async 'thing/event/property/pack/post'(device, params) {
      const { subDevices, ...own } = paramsOf(Pack, params)
      const parts = [own, ...subDevices]
      bounded(
        Math.max(...parts.map(({ properties }) => Object.keys(properties).length)),
        parts.reduce((sum, { events }) => sum + Object.keys(events).length, 0),
        subDevices.length,
      )
      // All sub-devices are checked before anything is stored, because one invalid sub-device rejects the whole pack.
      const speakers = await Promise.all(
        subDevices.map(({ identity }) => speaksFor(device, identity)),
      )
      const wrong = await Promise.all(
        [device, ...speakers].map((speaker, at) =>
          take(speaker, [parts[at]!.properties], Object.entries(parts[at]!.events)),
        ),
      )
      return Object.assign({}, ...wrong.reverse()) as Record<string, string>
    },
    async 'thing/event/property/history/post'(device, params) {
      const past = paramsOf(Past, params)
      bounded(
        past.flatMap(({ properties }) => properties.flatMap(Object.keys)).length,
        past.flatMap(({ events }) => events.flatMap(Object.keys)).length,
        past.length,
      )
      const speakers = await Promise.all(past.map(({ identity }) => speaksFor(device, identity)))
      const wrong = await Promise.all(
        past.map(({ properties, events }, at) =>
          take(speakers[at]!, properties, events.flatMap(Object.entries), true),
        ),
      )
      return Object.assign({}, ...wrong) as Record<string, string>
    },
  }
  return {
    handles: (action: string) => Object.hasOwn(actions, action),
    answer: async (device: KnownDevice, action: string, params: unknown) =>
      actions[action]!(device, params),
  }
}

const timeOf = ({ time }: z.infer<typeof Moment>) => Number(time) || 0
