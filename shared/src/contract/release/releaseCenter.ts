import type { FailureKind } from './releaseCenter.schema'

export const failureKindText: Record<FailureKind, string> = {
  missing: '未部署',
  network: '网络',
  updated: '已更新',
  incompatible: '版本不兼容',
  script: '脚本错误',
}
