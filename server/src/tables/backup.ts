import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type {
  BackupKind,
  BackupState,
  BackupStep,
  Verification,
} from '@iot/shared/contract/platform/backup.schema'
import { id, time } from './columns'

/**
 * One row per backup that the platform made, or tried to. The running one renews `aliveTime`, so that one whose process
 * was killed is recognised.
 */
export const backupRun = pgTable(
  'backup_run',
  {
    id: id(),
    kind: text().$type<BackupKind>().notNull(),
    state: text().$type<BackupState>().notNull(),
    step: text().$type<BackupStep>().notNull(),
    startedBy: text().notNull(),
    startTime: time().notNull(),
    endTime: time(),
    aliveTime: time().notNull(),
    /** Name of the machine whose folder holds the file. */
    host: text().notNull(),
    /** Null until the file is complete. */
    fileName: text(),
    bytes: bigint({ mode: 'number' }),
    tableCount: integer(),
    rowCount: bigint({ mode: 'number' }),
    isEncrypted: boolean().notNull(),
    verification: text().$type<Verification>().notNull(),
    error: text().notNull().default(''),
    /** SHA-256 of a download ticket, so that a reader of the table cannot use one. */
    ticketHash: text(),
    ticketTime: time(),
  },
  (table) => [
    // Two processes that start one at the same moment end with one.
    uniqueIndex('backup_run_running')
      .on(table.state)
      .where(sql`state = 'running'`),
    index('backup_run_start').on(table.startTime),
  ],
)
