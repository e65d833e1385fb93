import * as z from '../zod'
import { Id, Time, pageQuery, pageResult } from '../fields.schema'
import { backupRunTitles } from './backup'

export const BackupKind = z.enum(['schedule', 'manual'])
export type BackupKind = z.infer<typeof BackupKind>

/** `interrupted`: its process ended, or lost the database, before it could say how it went. */
export const BackupState = z.enum(['running', 'succeeded', 'failed', 'interrupted'])
export type BackupState = z.infer<typeof BackupState>

export const BackupStep = z.enum(['writing', 'verifying'])
export type BackupStep = z.infer<typeof BackupStep>

/** `restored`: restored into a temporary database and compared; `read`: the whole file was read and compared. */
export const Verification = z.enum(['none', 'read', 'restored'])
export type Verification = z.infer<typeof Verification>

export const BackupRun = z.object({
  id: Id,
  kind: BackupKind.meta({ title: backupRunTitles.kind }),
  state: BackupState.meta({ title: backupRunTitles.state }),
  step: BackupStep,
  startedBy: z.string().meta({ title: backupRunTitles.startedBy }),
  startTime: Time.meta({ title: backupRunTitles.startTime }),
  endTime: Time.nullable(),
  host: z.string().meta({ title: '主机' }),
  fileName: z.string().nullable().meta({ title: backupRunTitles.fileName }),
  bytes: z.number().int().nullable().meta({ title: backupRunTitles.bytes }),
  tableCount: z.number().int().nullable(),
  rowCount: z.number().int().nullable().meta({ title: backupRunTitles.rowCount }),
  isEncrypted: z.boolean().meta({ title: backupRunTitles.isEncrypted }),
  verification: Verification.meta({ title: backupRunTitles.verification }),
  error: z.string().meta({ title: backupRunTitles.error }),
  /** Why the file cannot be downloaded; empty if it can. */
  unavailableReason: z.string(),
})
export type BackupRun = z.infer<typeof BackupRun>

export const BackupOverview = z.object({
  /** Folder of the backups as the answering process knows it; null if backups are not set up. */
  folder: z.string().nullable(),
  isEncrypted: z.boolean(),
  keep: z.number().int(),
  nextTime: Time.nullable(),
  running: BackupRun.nullable(),
  lastSuccess: BackupRun.nullable(),
  /** It says what is wrong with the backups now, and is empty if nothing is. */
  problem: z.string(),
})
export type BackupOverview = z.infer<typeof BackupOverview>

export const BackupTicket = z.object({ url: z.string(), fileName: z.string() })

export const backupSchemas = {
  page: { input: pageQuery({ state: BackupState.optional() }), output: pageResult(BackupRun) },
  overview: { input: z.object({}), output: BackupOverview },
  create: { input: z.object({}), output: BackupRun },
  download: { input: z.object({ id: Id }), output: BackupTicket },
}
