import { ErrorLog, errorSourceText, errorStatusText } from '@iot/shared/contract/errorLog'
import { sheetOf, wordsOf } from '../../core/tasks/sheet'

export const sheet = sheetOf(ErrorLog, {
  lastTime: '',
  message: '',
  source: wordsOf(errorSourceText),
  count: '',
  firstTime: '',
  status: wordsOf(errorStatusText),
  returned: '',
  page: '',
  build: '',
  traceId: '',
})
