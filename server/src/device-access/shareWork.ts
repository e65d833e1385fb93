import { and, eq } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { device, deviceCredential } from '../tables/device'
import { deviceKey } from './protocol/alink'
import type { Directory } from './directory'
import type { DeviceSessions } from './topology/deviceSessions'
import type { ProcessMessages } from './broker/processMessages'
import type { Siblings } from './siblings'
import type { States } from './ingest/deviceStates'

/** MQTT brokers may reject messages above 1 MB; a row takes some hundred bytes. */
const rowsPerWord = 500

type Parts = {
  db: Db
  states: States
  sessions: DeviceSessions
  directory: Directory
  siblings: Siblings
  processMessages: ProcessMessages
}

/**
 * Connects this process to the cluster: it publishes changes of devices and takes over the devices of a member that
 * ended.
 */
export function shareWork(
  { db, states, sessions, directory, siblings, processMessages }: Parts,
  reportError: (error: Error) => void,
) {
  states.events.on('changed', (rows) => {
    for (let start = 0; start < rows.length; start += rowsPerWord)
      siblings.tell('states', rows.slice(start, start + rowsPerWord))
  })
  processMessages.events
    .on('forget', (identities) => {
      directory.forgetLocally(identities)
      sessions.recheckLogins(identities).catch(reportError)
    })
    .on('commands', (commands) => {
      for (const { id, values } of commands) states.recordCommand(id, values)
    })
  siblings.events
    .on('changed', sessions.clearCache)
    .on('alone', (since) => markStaleSince(since, siblings.owns))
    .on('gone', (id, lastHeardMs) =>
      markStaleSince(lastHeardMs, (key) => siblings.inherits(key, id)),
    )

  /**
   * Marks values as stale that were reported before `since`, because reports may have been missed; the devices are then
   * queried.
   */
  function markStaleSince(since: number, concerns: (key: string) => boolean) {
    db.select({
      id: device.id,
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
      .where(eq(device.state, 'online'))
      .then((rows) => rows.filter((row) => concerns(deviceKey(row))).map(({ id }) => id))
      .then((ids) => states.markStale(ids, since))
      .catch(reportError)
  }
}
