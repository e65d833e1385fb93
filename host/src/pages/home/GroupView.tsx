import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import Table from 'antd/es/table'
import Tag from 'antd/es/tag'
import type { TableColumnsType } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { ActionMode, SpaceLights } from '@iot/shared/contract/device/device.schema'
import { GroupMember } from '@iot/shared/contract/device/deviceGroup.schema'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import { Dot } from '@iot/shared/plan/dot'
import { column } from '@iot/shared/ui/field'
import { buildInnerPagination, LoadErrorAlert } from '@iot/shared/ui/usePage'
import { LightCounts, ScopeActions } from './ScopeBar'
import { createGroupPollOptions, useGroupLights } from './useGroups'
import type { HomeScope } from './useScope'

type GroupViewProps = {
  groupId: string
  scope: Pick<HomeScope, 'scope' | 'name' | 'fullName'>
  /** A change of these light counts per space means that the group may have changed as well. */
  counts: ReadonlyMap<string, SpaceLights>
  modes: ActionMode[]
  busy: boolean
  onAsk: (action: ControlConfirmation) => void
  /** Shows the position of a device on its floor. */
  onShow: (floorId: string, deviceId: string) => void
}
const pageSize = 20

/** Shows a group instead of a floor: the state of its lights, its control modes and its members. */
export default function GroupView(props: GroupViewProps) {
  const { groupId: id, scope, counts, modes, busy, onAsk, onShow } = props
  const [pageNo, setPageNo] = useState(1)
  const groupLights = useGroupLights(id, counts)
  const { lights } = groupLights
  const pollOptions = createGroupPollOptions(id, counts)
  const members = useRequest(
    () => call(deviceGroupApi.members, { id, pageNo, pageSize }, { quiet: true }),
    { ...pollOptions, refreshDeps: [...pollOptions.refreshDeps, pageNo] },
  )
  const error = groupLights.error ?? members.error
  const refresh = () => [groupLights, members].forEach((request) => request.refresh())

  const columns: TableColumnsType<GroupMember> = [
    {
      ...column(GroupMember, 'name'),
      ellipsis: true,
      render: (name: string, { id, floorId, protected: isProtected }) => (
        <>
          {floorId ? (
            <Button type="link" size="small" onClick={() => onShow(floorId, id)}>
              {name}
            </Button>
          ) : (
            name
          )}
          {isProtected && <Tag>受保护</Tag>}
        </>
      ),
    },
    { ...column(GroupMember, 'productName'), width: 140, ellipsis: true },
    { ...column(GroupMember, 'place'), ellipsis: true },
    {
      ...column(GroupMember, 'state'),
      width: 90,
      render: (_, { state }) => deviceStateText[state],
    },
    {
      title: '灯',
      width: 80,
      render: (_, { isLit, isLight, state }) =>
        isLit === null ? (
          isLight && state === 'online' ? (
            <>
              <Dot look="stale" /> 未知
            </>
          ) : (
            '—'
          )
        ) : (
          <>
            <Dot look={isLit ? 'on' : 'off'} /> {isLit ? '开' : '关'}
          </>
        ),
    },
  ]
  return (
    <Flex vertical gap={8}>
      {error && (
        <LoadErrorAlert
          why={error.message}
          hasRows={members.data !== undefined}
          onRetry={refresh}
        />
      )}
      {lights ? (
        <Flex gap={12} align="center" wrap justify="space-between">
          <LightCounts lights={lights} />
          <ScopeActions scope={scope} lights={lights} modes={modes} busy={busy} onAsk={onAsk} />
        </Flex>
      ) : (
        !error && <Skeleton active title={false} paragraph={{ rows: 1 }} />
      )}
      {members.data ? (
        <Table<GroupMember>
          size="small"
          rowKey="id"
          columns={columns}
          dataSource={members.data.list}
          locale={{ emptyText: '这个组现在没有设备，请在“设备管理”的“设备组”里修改' }}
          scroll={{ x: 640 }}
          pagination={buildInnerPagination(
            { pageNo, pageSize, total: members.data.total },
            setPageNo,
          )}
        />
      ) : (
        !error && <Skeleton active title={false} paragraph={{ rows: 8 }} />
      )}
    </Flex>
  )
}
