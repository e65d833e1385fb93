import { errorSourceText, errorStatusText } from '@iot/shared/contract/platform/errorLog'
import { ErrorLog } from '@iot/shared/contract/platform/errorLog.schema'
import { createChoiceConversion } from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'

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
