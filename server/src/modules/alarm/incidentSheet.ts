import { severityText } from '@iot/shared/contract/alarm/alarmSeverity'
import { AlarmIncident } from '@iot/shared/contract/alarm/incident.schema'
import { incidentStatusText } from '@iot/shared/contract/alarm/incident'
import { createChoiceConversion } from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'

export const incidentSheet = createSheetColumns(AlarmIncident, {
  openedTime: '',
  severity: createChoiceConversion(severityText),
  title: '',
  projectName: '',
  place: '',
  subjectName: '',
  ruleName: '',
  status: createChoiceConversion(incidentStatusText),
  count: '',
  deviceCount: '',
  firstTime: '',
  lastTime: '',
  acknowledgedBy: '',
  acknowledgedTime: '',
  resolvedBy: '',
  resolvedTime: '',
  resolveReason: '',
  assigneeName: '',
})
