import Tag from 'antd/es/tag'
import { projectStatusText, type ProjectStatus } from '@iot/shared/contract/project/projectStatus'

/** Most projects run, so only the other states are highlighted. */
export const ProjectStatusText = ({ status }: { status: ProjectStatus }) =>
  status === 'running' ? projectStatusText[status] : <Tag>{projectStatusText[status]}</Tag>
