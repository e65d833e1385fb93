import { and, eq } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { device, deviceCredential } from '../tables/device'
import { keyOf } from './alink'
import type { Directory } from './directory'
import type { DeviceSessions } from './sessions'
import type { Siblings } from './siblings'
import type { States } from './states'

/** MQTT brokers may reject messages above 1 MB; a row takes some hundred bytes. */
const rowsPerWord = 500

type Parts = {
  db: Db
  states: States
  sessions: DeviceSessions
  directory: Directory
  siblings: Siblings
}

/**
 * Connects this process to the cluster: it publishes changes of devices and takes over the devices of a member that
 * ended.
 */
export function shareWork(
  { db, states, sessions, directory, siblings }: Parts,
  reportError: (error: Error) => void,
) {
  states.events.on('changed', (rows) => {
    for (let start = 0; start < rows.length; start += rowsPerWord)
      siblings.tell('states', rows.slice(start, start + rowsPerWord))
  })
  siblings.events
    .on('forget', (identities) => {
      directory.forgotten(identities)
      sessions.recheck(identities).catch(reportError)
    })
    .on('commands', (commands) => {
      for (const { id, values } of commands) states.noteCommand(id, values)
    })
    .on('changed', sessions.forget)
    .on('alone', (since) => unsure(since, siblings.owns))
    .on('gone', (id, heard) => unsure(heard, (key) => siblings.inherits(key, id)))

  /**
   * Marks values as stale that were reported before `since`, because reports may have been missed; the devices are then
   * queried.
   */
  function unsure(since: number, concerns: (key: string) => boolean) {
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
      .then((rows) => rows.filter((row) => concerns(keyOf(row))).map(({ id }) => id))
      .then((ids) => states.unsure(ids, since))
      .catch(reportError)
  }
}
