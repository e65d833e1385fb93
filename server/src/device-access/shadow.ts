import { isUtf8 } from 'node:buffer'
import { and, eq } from 'drizzle-orm'
import { transaction, type Db } from '../core/db/db'
import { isStorable } from '../core/db/storable'
import { deviceShadow, type ShadowState } from '../tables/deviceRecords'
import type { KnownDevice } from './directory'

type Half = Record<string, unknown>
type Shadow = Pick<typeof deviceShadow.$inferSelect, 'state' | 'metadata' | 'version'>

const attributesMost = 128
const bytesMost = 64 * 1024
const empty = (): Shadow => ({
  state: { reported: {}, desired: {} },
  metadata: { reported: {}, desired: {} },
  version: 0,
})
const isHalf = (value: unknown): value is Half =>
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
 * Serves the device shadow document, which is independent of the thing model: `get`, `update` and `delete` arrive at
 * /shadow/update, replies go to /shadow/get.
 */
export function openShadow(db: Db) {
  async function change({ projectId, id }: KnownDevice, apply: (shadow: Shadow) => void) {
    const mine = and(eq(deviceShadow.projectId, projectId), eq(deviceShadow.deviceId, id))
    return transaction(db, async (tx) => {
      const [row] = await tx.select().from(deviceShadow).where(mine).for('update')
      const shadow: Shadow = row ?? empty()
      apply(shadow)
      const { state, metadata, version } = shadow
      if (
        Object.keys(state.reported).length > attributesMost ||
        JSON.stringify(state).length > bytesMost
      )
        throw new ShadowError(408, 'too many attributes')
      const set = { state, metadata, version, time: new Date().toISOString() }
      await tx
        .insert(deviceShadow)
        .values({ projectId, deviceId: id, ...set })
        .onConflictDoUpdate({ target: [deviceShadow.projectId, deviceShadow.deviceId], set })
      return shadow
    })
  }

  /** The version -1 resets the counter to 0. */
  function count(shadow: Shadow, given: unknown) {
    if (given === undefined) return void shadow.version++
    if (!Number.isSafeInteger(given)) throw new ShadowError(403, 'version is not a number')
    if (given === -1) return void (shadow.version = 0)
    if ((given as number) <= shadow.version) throw new ShadowError(409, 'version conflict')
    shadow.version = given as number
  }
  const stamp = (shadow: Shadow, half: keyof ShadowState, name: string) =>
    (shadow.metadata[half][name] = { timestamp: Math.floor(Date.now() / 1000) })

  function update(shadow: Shadow, state: Half, version: unknown) {
    if (!('reported' in state) && state.desired !== 'null')
      throw new ShadowError(404, 'reported is missing')
    if ('reported' in state && state.reported !== 'null' && !isHalf(state.reported))
      throw new ShadowError(405, 'reported is empty')
    count(shadow, version)
    if (state.reported === 'null') clear(shadow, 'reported')
    else
      for (const [name, value] of Object.entries((state.reported ?? {}) as Half)) {
        shadow.state.reported[name] = value
        stamp(shadow, 'reported', name)
      }
    // The device has applied the desired state.
    if (state.desired === 'null') clear(shadow, 'desired')
  }
  function clear(shadow: Shadow, half: keyof ShadowState) {
    shadow.state[half] = {}
    shadow.metadata[half] = {}
  }
  function remove(shadow: Shadow, state: Half, version: unknown) {
    count(shadow, version)
    for (const half of ['reported', 'desired'] as const) {
      const given = state[half]
      if (given === 'null' || given === null) clear(shadow, half)
      else if (isHalf(given))
        for (const name of Object.keys(given)) {
          delete shadow.state[half][name]
          delete shadow.metadata[half][name]
        }
    }
  }

  async function work(device: KnownDevice, payload: Buffer): Promise<Half> {
    const given = parse(payload)
    const { method, state, version } = given
    if (method === undefined) throw new ShadowError(401, 'method is missing')
    if (method === 'get') {
      const [row] = await db
        .select()
        .from(deviceShadow)
        .where(
          and(eq(deviceShadow.projectId, device.projectId), eq(deviceShadow.deviceId, device.id)),
        )
      const { state: now, metadata, version: counted } = row ?? empty()
      return { status: 'success', state: now, metadata, version: counted }
    }
    if (method !== 'update' && method !== 'delete')
      throw new ShadowError(406, 'method is not valid')
    if (!isHalf(state)) throw new ShadowError(402, 'state is missing')
    const shadow = await change(device, (one) =>
      method === 'update' ? update(one, state, version) : remove(one, state, version),
    )
    return { status: 'success', version: shadow.version }
  }

  return {
    /** Returns the reply as JSON text. */
    async answer(device: KnownDevice, payload: Buffer) {
      const content = await work(device, payload).catch((error: unknown) => {
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
export type Shadows = ReturnType<typeof openShadow>

function parse(payload: Buffer): Half {
  try {
    const given: unknown = isUtf8(payload) ? JSON.parse(payload.toString('utf8')) : undefined
    if (isHalf(given) && isStorable(given)) return given
  } catch {
    // The error is thrown below.
  }
  throw new ShadowError(400, 'not JSON')
}
