import * as z from '../zod'
import { Id, Time, pageQuery, pageResult } from '../fields.schema'

export const BackupKind = z.enum(['schedule', 'manual'])
export type BackupKind = z.infer<typeof BackupKind>
export const backupKindText: Record<BackupKind, string> = { schedule: '定时', manual: '手动' }

/** `interrupted`: its process ended, or lost the database, before it could say how it went. */
export const BackupState = z.enum(['running', 'succeeded', 'failed', 'interrupted'])
export type BackupState = z.infer<typeof BackupState>
export const backupStateText: Record<BackupState, string> = {
  running: '进行中',
  succeeded: '成功',
  failed: '失败',
  interrupted: '中断',
}

export const BackupStep = z.enum(['writing', 'verifying'])
export type BackupStep = z.infer<typeof BackupStep>

/** `restored`: restored into a temporary database and compared; `read`: the whole file was read and compared. */
export const Verification = z.enum(['none', 'read', 'restored'])
export type Verification = z.infer<typeof Verification>
export const verificationText: Record<Verification, string> = {
  none: '未核对',
  read: '已校验文件',
  restored: '已试恢复',
}

export const BackupRun = z.object({
  id: Id,
  kind: BackupKind.meta({ title: '方式' }),
  state: BackupState.meta({ title: '状态' }),
  step: BackupStep,
  startedBy: z.string().meta({ title: '发起人' }),
  startTime: Time.meta({ title: '开始时间' }),
  endTime: Time.nullable(),
  host: z.string().meta({ title: '主机' }),
  fileName: z.string().nullable().meta({ title: '文件' }),
  bytes: z.number().int().nullable().meta({ title: '大小' }),
  tableCount: z.number().int().nullable(),
  rowCount: z.number().int().nullable().meta({ title: '行数' }),
  isEncrypted: z.boolean().meta({ title: '加密' }),
  verification: Verification.meta({ title: '核对' }),
  error: z.string().meta({ title: '原因' }),
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
