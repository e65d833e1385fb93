import Button from 'antd/es/button'
import Descriptions from 'antd/es/descriptions'
import Divider from 'antd/es/divider'
import Flex from 'antd/es/flex'
import Tag from 'antd/es/tag'
import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { SpaceDetail } from '@iot/shared/contract/project/space.schema'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { buildFieldItems, formatValue } from '@iot/shared/ui/field'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { OpenIncidents } from '@iot/shared/ui/openIncidents'
import { Panel } from '@iot/shared/ui/panel'
import { RecentActions } from '@iot/shared/ui/recentActions'
import { Can, RowLink } from '@iot/shared/ui/right'
import { DetailColumns, DetailHead, useDetail } from '@iot/shared/ui/useDetail'
import { useOpenIncidents } from '@iot/shared/ui/useOpenIncidents'
import { Activity } from '../Activity'
import { FloorControls, FloorOverrides, FloorScenes } from './FloorActivity'
import { DeviceCount, FloorDevices, LightCount } from './FloorDevices'

const FloorPlan = lazyDialog(() => import('./FloorPlan'))

/** Shows what is on a floor, what controls it, and what happened there; parts that the user may not read are left out. */
export function Component() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const can = useCan()
  const detail = useDetail(spaceApi.get, id, { listPath: paths.system.project() })
  const { row, frame: renderLoaded, refresh } = detail
  const [isPlanOpen, setPlanOpen] = useState(false)
  /** Home and the device list show the current project. */
  const setProject = useSetAtom(currentProjectIdAtom)
  const canView = can(devicePermissions.view)

  return (
    <Panel>
      {renderLoaded(
        row && (
          <Flex vertical gap={16}>
            <DetailHead
              name={[row.place, row.name].filter(Boolean).join(' / ')}
              actions={
                <>
                  <Can to={devicePermissions.view}>
                    <Button
                      onClick={() => {
                        setProject(row.projectId)
                        void navigate(paths.home({ scope: id }))
                      }}
                    >
                      在首页查看
                    </Button>
                  </Can>
                  <Button onClick={() => setPlanOpen(true)}>平面图</Button>
                </>
              }
            >
              {!row.plan && <Tag>无平面图</Tag>}
            </DetailHead>
            <FloorFacts floor={row} />
            <Divider style={{ margin: 0 }} />
            <DetailColumns
              main={
                <>
                  {can(managedDeviceApi.page) && <FloorDevices key={id} floor={row} />}
                  {canView && <FloorControls floor={row} />}
                </>
              }
              aside={
                <>
                  {can(incidentApi.page) && <FloorIncidents floor={row} />}
                  {canView && <FloorOverrides floor={row} />}
                  {canView && <FloorScenes floor={row} />}
                  {can(actionLogApi.page) && <RecentActions of={{ spaceId: id }} />}
                </>
              }
            />
            {isPlanOpen && (
              <FloorPlan floor={row} onSaved={refresh} onClose={() => setPlanOpen(false)} />
            )}
          </Flex>
        ),
      )}
    </Panel>
  )
}

type FloorProps = { floor: SpaceDetail }

function FloorFacts({ floor }: FloorProps) {
  const can = useCan()
  const { projectName, projectRow, place, plan, metres, updateTime } = floor
  const fieldTexts = {
    projectName: (
      <RowLink
        to={managedProjectApi.get}
        at={`${paths.system.project()}/${projectRow}?tab=space`}
        name={projectName}
      />
    ),
    place,
    plan: plan ? '有' : '无',
    metres: formatValue(metres),
    updateTime: formatValue(updateTime),
  }
  return (
    <Descriptions
      size="small"
      column={{ xs: 1, sm: 2, lg: 3 }}
      items={[
        ...buildFieldItems(SpaceDetail, fieldTexts),
        ...(can(managedDeviceApi.page)
          ? [{ key: 'devices', label: '设备', children: <DeviceCount floor={floor} /> }]
          : []),
        ...(can(devicePermissions.view)
          ? [{ key: 'lights', label: '灯具', children: <LightCount floor={floor} /> }]
          : []),
      ]}
    />
  )
}

function FloorIncidents({ floor: { id, projectId } }: FloorProps) {
  const incidents = useOpenIncidents({ projectId, spaceId: id })
  const { total } = incidents
  return (
    <Activity
      title={total ? `未恢复的告警 ${total}` : '未恢复的告警'}
      more={{ to: paths.system.alarm.incident({ projectId }), label: '全部告警' }}
      request={{ refresh: incidents.refresh }}
    >
      <OpenIncidents incidents={incidents} emptyText="没有未恢复的告警" />
    </Activity>
  )
}
