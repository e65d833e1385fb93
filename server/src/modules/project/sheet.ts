import { Project } from '@iot/shared/contract/project/managedProject.schema'
import { projectStatusText, projectTypeText } from '@iot/shared/contract/project/projectStatus'
import { createChoiceConversion } from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'

export const sheet = createSheetColumns(Project, {
  projectId: '',
  name: '',
  code: '',
  groupName: '',
  type: createChoiceConversion(projectTypeText),
  areaCode: '',
  address: '',
  longitude: '',
  latitude: '',
  area: '',
  manager: '',
  phone: '',
  timeZone: '',
  status: createChoiceConversion(projectStatusText),
  spaceCount: '',
  deviceCount: '',
  createTime: '',
})
