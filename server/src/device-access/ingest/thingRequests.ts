import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../core/db/db'
import { isStorable } from '../../core/db/storable'
import type { WriteAsHolder } from '../../core/lease/leases'
import { device } from '../../tables/device'
import { deviceTag } from '../../tables/deviceRecords'
import { AlinkError, alinkCode, parseParams } from '../protocol/alink'
import { buildConfigFile } from '../commands/configFile'
import type { KnownDevice } from '../directory'
import { liveColumns, type States } from './deviceStates'
import { buildTsl } from '../protocol/tsl'

const maxItemsPerRequest = 200
/** Maximum tags per device, as on Alibaba's platform. */
const maxTagsPerDevice = 100
const TagKey = z.string().regex(/^[A-Za-z_]\w{0,99}$/)
const TagText = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const Tags = z
  .array(
    z.object({
      attrKey: TagKey,
      attrValue: TagText.refine((text) => text.length <= 1024 && isStorable(text)),
    }),
  )
  .min(1)
  .max(maxItemsPerRequest)
const TagKeys = z
  .array(z.object({ attrKey: TagKey }))
  .min(1)
  .max(maxItemsPerRequest)
const Identifiers = z.array(z.string().max(128))
const DesiredValues = z.record(z.string().max(128), z.unknown())
const limitItems = <T>(list: T[]) => {
  if (list.length > maxItemsPerRequest) throw new AlinkError(alinkCode.tooManyAsked)
  return list
}

type ThingRequestDependencies = {
  db: Db
  writeAsHolder: WriteAsHolder
  states: States
  /** Base URL at which devices fetch files; no configuration is served if it is missing. */
  publicUrl: string | undefined
}

/**
 * Handles requests of a device about itself. Each handler returns the `data` of the reply.
 * @throws AlinkError with the reply code
 */
export function createThingRequests({
  db,
  writeAsHolder,
  states,
  publicUrl,
}: ThingRequestDependencies) {
  const whereDevice = ({ projectId, id }: KnownDevice) =>
    and(eq(device.projectId, projectId), eq(device.id, id))

  const actions: Record<string, (device: KnownDevice, params: unknown) => Promise<unknown>> = {
    async 'thing/deviceinfo/update'({ projectId, id }, params) {
      const time = new Date().toISOString()
      // The last value wins if a key occurs twice.
      const tags = new Map(parseParams(Tags, params).map((tag) => [tag.attrKey, tag.attrValue]))
      const isOtherTag = and(
        eq(deviceTag.projectId, projectId),
        eq(deviceTag.deviceId, id),
        notInArray(deviceTag.key, [...tags.keys()]),
      )
      await writeAsHolder(async (tx) => {
        if ((await tx.$count(deviceTag, isOtherTag)) + tags.size > maxTagsPerDevice)
          throw new AlinkError(alinkCode.parameter, 'too many tags')
        await tx
          .insert(deviceTag)
          .values([...tags].map(([key, value]) => ({ projectId, deviceId: id, key, value, time })))
          .onConflictDoUpdate({
            target: [deviceTag.projectId, deviceTag.deviceId, deviceTag.key],
            set: { value: sql`excluded.value`, time },
          })
      })
      return {}
    },
    async 'thing/deviceinfo/delete'({ projectId, id }, params) {
      const keys = parseParams(TagKeys, params).map((tag) => tag.attrKey)
      await writeAsHolder((tx) =>
        tx
          .delete(deviceTag)
          .where(
            and(
              eq(deviceTag.projectId, projectId),
              eq(deviceTag.deviceId, id),
              inArray(deviceTag.key, keys),
            ),
          ),
      )
      return {}
    },
    async 'thing/property/desired/get'(knownDevice, params) {
      const identifiers = limitItems(parseParams(Identifiers, params))
      await states.flush()
      const [row] = await db
        .select({ desired: device.desired })
        .from(device)
        .where(whereDevice(knownDevice))
      return Object.fromEntries(
        Object.entries(row?.desired ?? {})
          .filter(([identifier]) => identifiers.length === 0 || identifiers.includes(identifier))
          // The platform does not version desired values, so each has version 1.
          .map(([identifier, value]) => [identifier, { value, version: 1 }]),
      )
    },
    /** The device has applied these desired values. */
    async 'thing/property/desired/delete'(knownDevice, params) {
      const identifiers = limitItems(Object.keys(parseParams(DesiredValues, params)))
      if (identifiers.length === 0) throw new AlinkError(alinkCode.parameter)
      await states.flush()
      const identifierArray = sql`array(select jsonb_array_elements_text(${JSON.stringify(identifiers)}::jsonb))`
      const changedRows = await writeAsHolder((tx) =>
        tx
          .update(device)
          .set({
            desired: sql`${device.desired} - ${identifierArray}`,
            wishes: sql`${device.wishes} - ${identifierArray}`,
            revision: sql`${device.revision} + 1`,
          })
          .where(whereDevice(knownDevice))
          .returning(liveColumns),
      )
      states.events.emit('changed', changedRows)
      return {}
    },
    async 'thing/config/get'(knownDevice) {
      if (!publicUrl) throw new AlinkError(alinkCode.configOff)
      const file = await buildConfigFile(db, knownDevice, publicUrl)
      if (!file) throw new AlinkError(alinkCode.noConfig)
      return file
    },
    'thing/dsltemplate/get': async (knownDevice) => buildTsl(knownDevice),
    'thing/dynamicTsl/get': async (knownDevice) => buildTsl(knownDevice),
    /** The platform offers no updates over this topic. */
    'thing/ota/firmware/get': async () => ({}),
  }
  return {
    handles: (action: string) => Object.hasOwn(actions, action),
    answer: async (knownDevice: KnownDevice, action: string, params: unknown) =>
      actions[action]!(knownDevice, params),
  }
}
export type ThingRequests = ReturnType<typeof createThingRequests>
