import { eq } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { isOwnCredential } from '../credentialJoin'
import { device, deviceCredential } from '../../tables/device'
import type { States } from './deviceStates'

/**
 * Marks the values of online devices as stale that were reported before now, because reports may have been missed; the
 * devices are then queried.
 */
export async function markStaleSince(
  db: Db,
  states: States,
  concerns: (productKey: string) => boolean,
) {
  const since = Date.now()
  const rows = await db
    .select({ id: device.id, productKey: deviceCredential.productKey })
    .from(device)
    .innerJoin(deviceCredential, isOwnCredential)
    .where(eq(device.state, 'online'))
  const ids = rows.filter(({ productKey }) => concerns(productKey)).map(({ id }) => id)
  await states.markStale(ids, since)
}
