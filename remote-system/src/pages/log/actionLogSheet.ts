import { ActionLog } from '@iot/shared/contract/actionLog'
import { titleOf } from '@iot/shared/contract/titleOf'
import { shown } from '@iot/shared/ui/field'
import type { SheetColumn } from '@iot/shared/ui/sheet'

const column = (
  name: keyof ActionLog,
  text?: (value: never) => string,
): SheetColumn<ActionLog> => ({ name, title: titleOf(ActionLog, name), text, example: '' })

export const sheet = [
  column('time', shown),
  column('username'),
  column('verb'),
  column('entity'),
  column('entityName'),
  column('ok', (ok: boolean) => (ok ? '成功' : '失败')),
  column('reason'),
  column('changes', (changes: ActionLog['changes']) =>
    changes
      .map(({ title, before, after }) => `${title}：${shown(before)} → ${shown(after)}`)
      .join('；'),
  ),
  column('duration'),
  column('address'),
  column('traceId'),
]
