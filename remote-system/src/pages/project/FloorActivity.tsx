import { useAtomValue } from 'jotai'
import Flex from 'antd/es/flex'
import Tag from 'antd/es/tag'
import type { ControlTask } from '@iot/shared/contract/control/control.schema'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { statusText } from '@iot/shared/contract/fields'
import type { ManualOverride } from '@iot/shared/contract/control/manualOverride.schema'
import { manualOverrideApi } from '@iot/shared/contract/control/manualOverride.api'
import type { SceneButton } from '@iot/shared/contract/control/scene.schema'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import type { SpaceDetail } from '@iot/shared/contract/project/space.schema'
import { EndOverrideButton } from '@iot/shared/control/heldNotice'
import { formatTaskHead, TaskResult } from '@iot/shared/control/tasks'
import { formatOverride } from '@iot/shared/plan/lights'
import { paths } from '@iot/shared/screens/paths'
import { overrideRevisionAtom } from '@iot/shared/session/overrides'
import { formatValue } from '@iot/shared/ui/field'
import { RowLink } from '@iot/shared/ui/right'
import { ActivityTable, useActivity } from '../Activity'

type FloorProps = { floor: Pick<SpaceDetail, 'id' | 'projectId'> }
const shownRows = 8
const viewAccess = { access: devicePermissions.view }
/** A project has fewer scenes than this. */
const maxScenes = 100

/** Lists the newest commands that reached devices of the floor. */
export function FloorControls({ floor: { id, projectId } }: FloorProps) {
  const activity = useActivity(controlApi.recent, { projectId, spaceId: id }, viewAccess)
  return (
    <ActivityTable<ControlTask>
      title="最近的控制"
      activity={activity}
      rowKey="id"
      dataSource={activity.request.data?.slice(0, shownRows)}
      scroll={{ x: 560 }}
      emptyText="还没有控制记录"
      columns={[
        { title: '时间', dataIndex: 'createTime', width: 160, render: formatValue },
        { title: '操作', key: 'head', render: (_, task) => formatTaskHead(task) },
        {
          title: '操作人',
          key: 'person',
          width: 88,
          ellipsis: true,
          render: (_, { createByName, createBy }) => createByName || createBy,
        },
        {
          title: '结果',
          key: 'result',
          width: 150,
          render: (_, task) => <TaskResult task={task} />,
        },
      ]}
    />
  )
}

/** Lists what scenes and bulk commands skip on the floor at present. */
export function FloorOverrides({ floor: { id, projectId } }: FloorProps) {
  const revision = useAtomValue(overrideRevisionAtom)
  const activity = useActivity(
    manualOverrideApi.list,
    { projectId, spaceId: id },
    { ...viewAccess, refreshDeps: [revision] },
  )
  return (
    <ActivityTable<ManualOverride>
      title="手动保持"
      activity={activity}
      rowKey="id"
      showHeader={false}
      dataSource={activity.request.data}
      emptyText="没有手动保持"
      columns={[
        {
          key: 'place',
          render: (_, override) => (
            <Flex vertical>
              <span>
                {override.place}
                {override.devices > 1 && `（${override.devices} ${override.unit}）`}
              </span>
              <span style={{ color: 'var(--ant-color-text-secondary)' }}>
                {[formatOverride(override), override.reason].filter(Boolean).join('；')}
              </span>
            </Flex>
          ),
        },
        {
          key: 'end',
          width: 72,
          render: (_, override) => <EndOverrideButton override={override} />,
        },
      ]}
    />
  )
}

/** Lists the scenes that control devices of the floor, with what starts them and when. */
export function FloorScenes({ floor: { id, projectId } }: FloorProps) {
  const activity = useActivity(
    sceneApi.page,
    { projectId, spaceId: id, pageNo: 1, pageSize: maxScenes },
    viewAccess,
  )
  return (
    <ActivityTable<SceneButton>
      title="涉及的场景"
      activity={activity}
      rowKey="id"
      dataSource={activity.request.data?.list}
      scroll={{ x: 380 }}
      emptyText="没有场景控制这一层的设备"
      columns={[
        {
          title: '场景',
          key: 'name',
          width: 110,
          render: (_, { id: sceneId, name, status }) => (
            <>
              <RowLink
                to={devicePermissions.editScene}
                at={`${paths.home()}/scene/${sceneId}`}
                name={name}
              />{' '}
              {status === 'disabled' && <Tag>{statusText[status]}</Tag>}
            </>
          ),
        },
        {
          title: '触发',
          dataIndex: 'triggerTexts',
          render: (texts: string[]) => texts.join('；') || '手动',
        },
        {
          title: '下次执行',
          key: 'next',
          width: 160,
          render: (_, { nextRun }) => (nextRun ? formatValue(nextRun.time) : '—'),
        },
      ]}
    />
  )
}
