import { ErrorLog, errorSourceText, errorStatusText } from '@iot/shared/contract/errorLog'
import { createSheetColumns, createChoiceConversion } from '../../core/tasks/sheet'

export const sheet = createSheetColumns(ErrorLog, {
  lastTime: '',
  message: '',
  source: createChoiceConversion(errorSourceText),
  count: '',
  firstTime: '',
  status: createChoiceConversion(errorStatusText),
  returned: '',
  page: '',
  build: '',
  traceId: '',
})
