import { Project } from '@iot/shared/contract/managedProject'
import { projectStatusText, projectTypeText } from '@iot/shared/contract/projectStatus'
import { sheetOf, wordsOf } from '../../core/tasks/sheet'

export const sheet = sheetOf(Project, {
  projectId: '',
  name: '',
  code: '',
  groupName: '',
  type: wordsOf(projectTypeText),
  areaCode: '',
  address: '',
  longitude: '',
  latitude: '',
  area: '',
  manager: '',
  phone: '',
  timeZone: '',
  status: wordsOf(projectStatusText),
  spaceCount: '',
  deviceCount: '',
  createTime: '',
})
