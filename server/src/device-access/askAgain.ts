import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { complain } from '../core/db/outage'
import { device, deviceCredential } from '../tables/device'
import type { Commands } from './commands'
import type { Changed, States } from './states'

/** Most devices say everything when they come back; who does not in this time is asked. */
const patience = 3000
const perTurn = 200
const pause = 100

/**
 * Asks devices for values that are of the time before they, or the platform, were away. Nothing waits for the answer: who
 * gives none is shown with the time of what it said.
 */
export function openAskAgain(db: Db, states: States, commands: Commands) {
  /** Once for each time it comes back. */
  const asked = new Set<string>()
  let due: string[] = []
  let timer: NodeJS.Timeout | undefined
  let asking: Promise<void> = Promise.resolve()

  function look(rows: Changed[]) {
    for (const { id, state, stale } of rows) {
      if (state !== 'online' || Object.keys(stale).length === 0) asked.delete(id)
      else if (!asked.has(id)) {
        asked.add(id)
        due.push(id)
      }
    }
    if (due.length > 0) timer ??= setTimeout(begin, patience)
  }

  const begin = () => void (asking = ask())

  async function ask() {
    const some = due.slice(0, perTurn)
    due = due.slice(perTurn)
    const still = await db
      .select({
        stale: device.stale,
        productKey: deviceCredential.productKey,
        deviceName: deviceCredential.deviceName,
      })
      .from(device)
      .innerJoin(
        deviceCredential,
        and(
          eq(deviceCredential.projectId, device.projectId),
          eq(deviceCredential.deviceId, device.id),
        ),
      )
      .where(
        and(inArray(device.id, some), eq(device.state, 'online'), sql`${device.stale} <> '{}'`),
      )
      .catch((error: unknown) => complain('设备状态暂未询问', error))
    for (const { stale, ...identity } of still ?? []) commands.get(identity, Object.keys(stale))
    timer = due.length > 0 ? setTimeout(begin, pause) : undefined
  }

  states.events.on('changed', look)
  return {
    async close() {
      states.events.off('changed', look)
      due = []
      clearTimeout(timer)
      await asking
    },
  }
}
