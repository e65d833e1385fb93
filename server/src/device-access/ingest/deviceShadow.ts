import { isUtf8 } from 'node:buffer'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { isStorable } from '../../core/db/storable'
import type { WriteAsHolder } from '../../core/lease/leases'
import { deviceShadow, type ShadowState } from '../../tables/deviceRecords'
import type { KnownDevice } from '../directory'

type ShadowSection = Record<string, unknown>
type Shadow = Pick<typeof deviceShadow.$inferSelect, 'state' | 'metadata' | 'version'>

const maxAttributes = 128
const maxBytes = 64 * 1024
const createEmptyShadow = (): Shadow => ({
  state: { reported: {}, desired: {} },
  metadata: { reported: {}, desired: {} },
  version: 0,
})
const isSection = (value: unknown): value is ShadowSection =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Error of the shadow protocol; its codes are listed at https://help.aliyun.com/document_detail/109595.html */
class ShadowError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Serves the device shadow document, which is independent of the thing model: `get`, `applyUpdate` and `delete` arrive at
 * /shadow/update, replies go to /shadow/get.
 */
export function createShadowHandler(db: Db, writeAsHolder: WriteAsHolder) {
  async function updateShadow({ projectId, id }: KnownDevice, apply: (shadow: Shadow) => void) {
    const isOwnRow = and(eq(deviceShadow.projectId, projectId), eq(deviceShadow.deviceId, id))
    return writeAsHolder(async (tx) => {
      const [row] = await tx.select().from(deviceShadow).where(isOwnRow).for('update')
      const shadow: Shadow = row ?? createEmptyShadow()
      apply(shadow)
      const { state, metadata, version } = shadow
      if (
        Object.keys(state.reported).length > maxAttributes ||
        JSON.stringify(state).length > maxBytes
      )
        throw new ShadowError(408, 'too many attributes')
      const columns = { state, metadata, version, time: new Date().toISOString() }
      await tx
        .insert(deviceShadow)
        .values({ projectId, deviceId: id, ...columns })
        .onConflictDoUpdate({
          target: [deviceShadow.projectId, deviceShadow.deviceId],
          set: columns,
        })
      return shadow
    })
  }

  /** The version -1 resets the counter to 0. */
  function applyVersion(shadow: Shadow, requestedVersion: unknown) {
    if (requestedVersion === undefined) return void shadow.version++
    if (!Number.isSafeInteger(requestedVersion))
      throw new ShadowError(403, 'version is not a number')
    if (requestedVersion === -1) return void (shadow.version = 0)
    if ((requestedVersion as number) <= shadow.version)
      throw new ShadowError(409, 'version conflict')
    shadow.version = requestedVersion as number
  }
  const stampTime = (shadow: Shadow, section: keyof ShadowState, name: string) =>
    (shadow.metadata[section][name] = { timestamp: Math.floor(Date.now() / 1000) })

  function applyUpdate(shadow: Shadow, state: ShadowSection, version: unknown) {
    if (!('reported' in state) && state.desired !== 'null')
      throw new ShadowError(404, 'reported is missing')
    if ('reported' in state && state.reported !== 'null' && !isSection(state.reported))
      throw new ShadowError(405, 'reported is empty')
    applyVersion(shadow, version)
    if (state.reported === 'null') clearSection(shadow, 'reported')
    else
      for (const [name, value] of Object.entries((state.reported ?? {}) as ShadowSection)) {
        shadow.state.reported[name] = value
        stampTime(shadow, 'reported', name)
      }
    // The device has applied the desired state.
    if (state.desired === 'null') clearSection(shadow, 'desired')
  }
  function clearSection(shadow: Shadow, section: keyof ShadowState) {
    shadow.state[section] = {}
    shadow.metadata[section] = {}
  }
  function applyDelete(shadow: Shadow, state: ShadowSection, version: unknown) {
    applyVersion(shadow, version)
    for (const section of ['reported', 'desired'] as const) {
      const sectionValue = state[section]
      if (sectionValue === 'null' || sectionValue === null) clearSection(shadow, section)
      else if (isSection(sectionValue))
        for (const name of Object.keys(sectionValue)) {
          delete shadow.state[section][name]
          delete shadow.metadata[section][name]
        }
    }
  }

  async function handleMessage(device: KnownDevice, payload: Buffer): Promise<ShadowSection> {
    const message = parse(payload)
    const { method, state, version } = message
    if (method === undefined) throw new ShadowError(401, 'method is missing')
    if (method === 'get') {
      const [row] = await db
        .select()
        .from(deviceShadow)
        .where(
          and(eq(deviceShadow.projectId, device.projectId), eq(deviceShadow.deviceId, device.id)),
        )
      const { state: currentState, metadata, version: currentVersion } = row ?? createEmptyShadow()
      return { status: 'success', state: currentState, metadata, version: currentVersion }
    }
    if (method !== 'update' && method !== 'delete')
      throw new ShadowError(406, 'method is not valid')
    if (!isSection(state)) throw new ShadowError(402, 'state is missing')
    const shadow = await updateShadow(device, (storedShadow) =>
      method === 'update'
        ? applyUpdate(storedShadow, state, version)
        : applyDelete(storedShadow, state, version),
    )
    return { status: 'success', version: shadow.version }
  }

  return {
    /** Returns the reply as JSON text. */
    async answer(device: KnownDevice, payload: Buffer) {
      const content = await handleMessage(device, payload).catch((error: unknown) => {
        if (!(error instanceof ShadowError)) throw error
        return {
          status: 'error',
          content: { errorcode: String(error.code), errormessage: error.message },
        }
      })
      return JSON.stringify({
        method: 'reply',
        payload: content,
        timestamp: Math.floor(Date.now() / 1000),
      })
    },
  }
}
export type ShadowHandler = ReturnType<typeof createShadowHandler>

function parse(payload: Buffer): ShadowSection {
  try {
    const message: unknown = isUtf8(payload) ? JSON.parse(payload.toString('utf8')) : undefined
    if (isSection(message) && isStorable(message)) return message
  } catch {
    // The error is thrown below.
  }
  throw new ShadowError(400, 'not JSON')
}
