import { ActionLog } from '@iot/shared/contract/actionLog'
import { sheetOf } from '../../core/tasks/sheet'

const shown = (value: string) => value || '—'

export const sheet = sheetOf(ActionLog, {
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
        .map(({ title, before, after }) => `${title}：${shown(before)} → ${shown(after)}`)
        .join('；'),
  },
  duration: '',
  address: '',
  traceId: '',
})
