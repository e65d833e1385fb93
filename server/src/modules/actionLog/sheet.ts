import { ActionLog } from '@iot/shared/contract/access/actionLog.schema'
import { createSheetColumns } from '../../core/tasks/sheet'

const formatValue = (value: string) => value || '—'

export const sheet = createSheetColumns(ActionLog, {
  time: '',
  username: '',
  verb: '',
  entity: '',
  entityName: '',
  ok: { text: (ok: boolean) => (ok ? '成功' : '失败') },
  reason: '',
  changes: {
    text: (changes: ActionLog['changes']) =>
      changes
        .map(
          ({ title, before, after }) => `${title}：${formatValue(before)} → ${formatValue(after)}`,
        )
        .join('；'),
  },
  duration: '',
  address: '',
  traceId: '',
})
