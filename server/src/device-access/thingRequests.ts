import { and, count, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../core/db/db'
import { isStorable } from '../core/db/storable'
import { device } from '../tables/device'
import { deviceTag } from '../tables/deviceRecords'
import { AlinkError, alinkCode, paramsOf } from './alink'
import { configFile } from './configFile'
import type { KnownDevice } from './directory'
import { liveColumns, type States } from './states'
import { tslOf } from './tsl'

const most = 200
/** Maximum tags per device, as on Alibaba's platform. */
const tagsMost = 100
const Key = z.string().regex(/^[A-Za-z_]\w{0,99}$/)
const TagText = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const Tags = z
  .array(
    z.object({
      attrKey: Key,
      attrValue: TagText.refine((text) => text.length <= 1024 && isStorable(text)),
    }),
  )
  .min(1)
  .max(most)
const TagKeys = z
  .array(z.object({ attrKey: Key }))
  .min(1)
  .max(most)
const Identifiers = z.array(z.string().max(128))
const Wishes = z.record(z.string().max(128), z.unknown())
const few = <T>(list: T[]) => {
  if (list.length > most) throw new AlinkError(alinkCode.tooManyAsked)
  return list
}

type Parts = {
  db: Db
  states: States
  /** Base URL at which devices fetch files; no configuration is served if it is missing. */
  publicUrl: string | undefined
}

/**
 * Handles requests of a device about itself. Each handler returns the `data` of the reply.
 * @throws AlinkError with the reply code
 */
export function openThingRequests({ db, states, publicUrl }: Parts) {
  const mine = ({ projectId, id }: KnownDevice) =>
    and(eq(device.projectId, projectId), eq(device.id, id))

  const actions: Record<string, (device: KnownDevice, params: unknown) => Promise<unknown>> = {
    async 'thing/deviceinfo/update'({ projectId, id }, params) {
      const time = new Date().toISOString()
      // The last value wins if a key occurs twice.
      const tags = new Map(paramsOf(Tags, params).map((tag) => [tag.attrKey, tag.attrValue]))
      const [others] = await db
        .select({ count: count() })
        .from(deviceTag)
        .where(
          and(
            eq(deviceTag.projectId, projectId),
            eq(deviceTag.deviceId, id),
            notInArray(deviceTag.key, [...tags.keys()]),
          ),
        )
      if (others!.count + tags.size > tagsMost)
        throw new AlinkError(alinkCode.parameter, 'too many tags')
      await db
        .insert(deviceTag)
        .values([...tags].map(([key, value]) => ({ projectId, deviceId: id, key, value, time })))
        .onConflictDoUpdate({
          target: [deviceTag.projectId, deviceTag.deviceId, deviceTag.key],
          set: { value: sql`excluded.value`, time },
        })
      return {}
    },
    async 'thing/deviceinfo/delete'({ projectId, id }, params) {
      const keys = paramsOf(TagKeys, params).map((tag) => tag.attrKey)
      await db
        .delete(deviceTag)
        .where(
          and(
            eq(deviceTag.projectId, projectId),
            eq(deviceTag.deviceId, id),
            inArray(deviceTag.key, keys),
          ),
        )
      return {}
    },
    async 'thing/property/desired/get'(known, params) {
      const wanted = few(paramsOf(Identifiers, params))
      await states.flush()
      const [row] = await db.select({ desired: device.desired }).from(device).where(mine(known))
      return Object.fromEntries(
        Object.entries(row?.desired ?? {})
          .filter(([identifier]) => wanted.length === 0 || wanted.includes(identifier))
          // The platform does not version desired values, so each has version 1.
          .map(([identifier, value]) => [identifier, { value, version: 1 }]),
      )
    },
    /** The device has applied these desired values. */
    async 'thing/property/desired/delete'(known, params) {
      const named = few(Object.keys(paramsOf(Wishes, params)))
      if (named.length === 0) throw new AlinkError(alinkCode.parameter)
      await states.flush()
      const names = sql`array(select jsonb_array_elements_text(${JSON.stringify(named)}::jsonb))`
      const changed = await db
        .update(device)
        .set({
          desired: sql`${device.desired} - ${names}`,
          wishes: sql`${device.wishes} - ${names}`,
          revision: sql`${device.revision} + 1`,
        })
        .where(mine(known))
        .returning(liveColumns)
      states.events.emit('changed', changed)
      return {}
    },
    async 'thing/config/get'(known) {
      if (!publicUrl) throw new AlinkError(alinkCode.configOff)
      const file = await configFile(db, known, publicUrl)
      if (!file) throw new AlinkError(alinkCode.noConfig)
      return file
    },
    'thing/dsltemplate/get': async (known) => tslOf(known),
    'thing/dynamicTsl/get': async (known) => tslOf(known),
    /** The platform offers no updates over this topic. */
    'thing/ota/firmware/get': async () => ({}),
  }
  return {
    handles: (action: string) => Object.hasOwn(actions, action),
    answer: async (known: KnownDevice, action: string, params: unknown) =>
      actions[action]!(known, params),
  }
}
export type ThingRequests = ReturnType<typeof openThingRequests>
