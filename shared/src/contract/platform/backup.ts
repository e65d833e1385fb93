import type { BackupKind, BackupState, Verification } from './backup.schema'

export const backupRunTitles = {
  startTime: '开始时间',
  kind: '方式',
  state: '状态',
  bytes: '大小',
  rowCount: '行数',
  verification: '核对',
  isEncrypted: '加密',
  startedBy: '发起人',
  error: '原因',
  fileName: '文件',
}

export const backupKindText: Record<BackupKind, string> = { schedule: '定时', manual: '手动' }
export const backupStateText: Record<BackupState, string> = {
  running: '进行中',
  succeeded: '成功',
  failed: '失败',
  interrupted: '中断',
}
export const verificationText: Record<Verification, string> = {
  none: '未核对',
  read: '已校验文件',
  restored: '已试恢复',
}
