import Button from 'antd/es/button'
import Descriptions from 'antd/es/descriptions'
import Skeleton from 'antd/es/skeleton'
import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { Project } from '@iot/shared/contract/project/managedProject.schema'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import {
  projectStatusHint,
  projectStatusText,
  projectTypeText,
} from '@iot/shared/contract/project/projectStatus'
import { buildFieldItems, formatValue } from '@iot/shared/ui/field'
import { lazyDialog, lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { Can, RowActions } from '@iot/shared/ui/right'
import { DetailHead, DetailTabs, useDetail } from '@iot/shared/ui/useDetail'
import { ProjectStatusText } from './ProjectStatusText'
import { useStatusActions } from './useStatusActions'

const renderSkeleton = () => <Skeleton active title={false} paragraph={{ rows: 6 }} />
const ProjectForm = lazyDialog(() => import('./ProjectForm'))
const Snapshots = lazyPart(() => import('./Snapshots'), renderSkeleton)
const Spaces = lazyPart(() => import('./Spaces'), renderSkeleton)

const formatFields = (project: Project): { [K in keyof Project]?: string } => ({
  status: `${projectStatusText[project.status]}：${projectStatusHint[project.status]}`,
  groupName: project.groupName,
  type: projectTypeText[project.type],
  areaName: project.areaName,
  address: project.address,
  longitude: formatValue(project.longitude),
  latitude: formatValue(project.latitude),
  area: project.area?.toLocaleString('zh-CN') ?? '',
  manager: project.manager,
  phone: project.phone,
  calendarName: project.calendarName,
  timeZone: project.timeZone,
  projectId: String(project.projectId),
  spaceCount: String(project.spaceCount),
  deviceCount: String(project.deviceCount),
  createTime: formatValue(project.createTime),
  updateTime: formatValue(project.updateTime),
})

export function Component() {
  const { id = '' } = useParams()
  const {
    row,
    take: replaceRow,
    frame: renderLoaded,
    refresh,
  } = useDetail(managedProjectApi.get, id)
  const [isEditing, setEditing] = useState(false)
  const statusActions = useStatusActions(replaceRow)

  return (
    <Panel>
      {renderLoaded(
        row && (
          <>
            <DetailHead
              name={row.name}
              code={row.code}
              actions={
                <>
                  <Can to={managedProjectApi.update}>
                    <Button onClick={() => setEditing(true)}>编辑</Button>
                  </Can>
                  <RowActions name={row.name} more={statusActions(row)} />
                </>
              }
            >
              <ProjectStatusText status={row.status} />
            </DetailHead>
            <DetailTabs
              items={[
                {
                  key: 'info',
                  label: '基本信息',
                  children: (
                    <Descriptions
                      column={{ xs: 1, md: 2 }}
                      items={buildFieldItems(Project, formatFields(row))}
                    />
                  ),
                },
                {
                  key: 'space',
                  label: '空间',
                  children: <Spaces projectId={row.projectId} onChanged={refresh} />,
                },
                {
                  key: 'snapshot',
                  label: '快照',
                  children: <Snapshots projectId={row.projectId} onChanged={refresh} />,
                },
              ]}
            />
            {isEditing && (
              <ProjectForm
                project={row}
                onSaved={(savedProject) => replaceRow(savedProject as Project)}
                onClose={() => setEditing(false)}
              />
            )}
          </>
        ),
      )}
    </Panel>
  )
}
