import { Tag } from 'antd'
import { projectStatusText, type ProjectStatus } from '@iot/shared/contract/projectStatus'

/** Only the exception is set off: most projects run. */
export const ProjectStatusText = ({ status }: { status: ProjectStatus }) =>
  status === 'running' ? projectStatusText[status] : <Tag>{projectStatusText[status]}</Tag>
