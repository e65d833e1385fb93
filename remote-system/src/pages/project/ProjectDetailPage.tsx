import { Button, Descriptions, Skeleton } from 'antd'
import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { managedProjectApi, Project } from '@iot/shared/contract/managedProject'
import {
  projectStatusHint,
  projectStatusText,
  projectTypeText,
} from '@iot/shared/contract/projectStatus'
import { titleOf } from '@iot/shared/contract/titleOf'
import { shown } from '@iot/shared/ui/field'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { Right, RowActions } from '@iot/shared/ui/right'
import { DetailHead, DetailTabs, useDetail } from '@iot/shared/ui/useDetail'
import { ProjectStatusText } from './ProjectStatusText'
import { useSetStatus } from './useSetStatus'

const skeleton = () => <Skeleton active title={false} paragraph={{ rows: 6 }} />
const ProjectForm = lazyPart(() => import('./ProjectForm'))
const Snapshots = lazyPart(() => import('./Snapshots'), skeleton)
const Spaces = lazyPart(() => import('./Spaces'), skeleton)

const words: { [K in keyof Project]?: (project: Project) => string } = {
  status: ({ status }) => `${projectStatusText[status]}：${projectStatusHint[status]}`,
  groupName: ({ groupName }) => groupName,
  type: ({ type }) => projectTypeText[type],
  areaName: ({ areaName }) => areaName,
  address: ({ address }) => address,
  longitude: ({ longitude }) => shown(longitude),
  latitude: ({ latitude }) => shown(latitude),
  area: ({ area }) => area?.toLocaleString('zh-CN') ?? '',
  manager: ({ manager }) => manager,
  phone: ({ phone }) => phone,
  calendarName: ({ calendarName }) => calendarName,
  timeZone: ({ timeZone }) => timeZone,
  projectId: ({ projectId }) => String(projectId),
  spaceCount: ({ spaceCount }) => String(spaceCount),
  deviceCount: ({ deviceCount }) => String(deviceCount),
  createTime: ({ createTime }) => shown(createTime),
  updateTime: ({ updateTime }) => shown(updateTime),
}

export function Component() {
  const { id = '' } = useParams()
  const { row, take, frame, refresh } = useDetail(managedProjectApi.get, id)
  const [isEditing, setEditing] = useState(false)
  const statusActions = useSetStatus(take)

  return (
    <Panel>
      {frame(
        row && (
          <>
            <DetailHead
              name={row.name}
              code={row.code}
              actions={
                <>
                  <Right to={managedProjectApi.update}>
                    <Button onClick={() => setEditing(true)}>编辑</Button>
                  </Right>
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
                      items={Object.entries(words).map(([name, text]) => ({
                        key: name,
                        label: titleOf(Project, name),
                        children: text(row) || '—',
                      }))}
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
                onSaved={(saved) => take(saved as Project)}
                onClose={() => setEditing(false)}
              />
            )}
          </>
        ),
      )}
    </Panel>
  )
}
