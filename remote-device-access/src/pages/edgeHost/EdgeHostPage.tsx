import { useInterval } from 'ahooks'
import { Table } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { EdgeHost, edgeHostApi, edgeStateText } from '@iot/shared/contract/edgeHost'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { optionsOf } from '@iot/shared/contract/options'
import { paths } from '@iot/shared/screens/paths'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { StatusBatch } from '@iot/shared/ui/status'
import { useBatch } from '@iot/shared/ui/batch'
import { asCode, column, shown } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { Export, Import } from '@iot/shared/ui/importExport'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { actionsColumn, RowLink } from '@iot/shared/ui/right'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'
import { zoned } from '@iot/shared/client/zone'
import { ProjectFilters } from '../device/ProjectFilters'
import { useNoProject } from '../device/useNoProject'
import { usePlaces } from '../device/usePlaces'
import { ConfigState, HostState, told, unknown } from './HostState'
import { awayReason, useHostActions } from './useHostActions'

const EdgeHostForm = lazyPart(() => import('./EdgeHostForm'))
const ReplaceForm = lazyPart(() => import('./ReplaceForm'))
const { create, exportRows, importRows } = edgeHostApi
const states = optionsOf(edgeStateText)
const { setStatus, replaceSecret } = managedDeviceApi
/** The list polls at this interval in ms, because heartbeats and child devices change without a notification. */
const every = 15_000
const word = (value: string | null) => told(value)

export function Component() {
  const projectId = useAtomValue(currentProjectIdAtom)
  const noProject = useNoProject()
  const { table, filters, input, search, refresh, saved, sortable } = usePage(edgeHostApi.page, {
    empty: '当前项目还没有边缘主机，点“登记边缘主机”添加',
    create,
    within: { projectId },
    unless: noProject,
  })
  useInterval(refresh, noProject ? undefined : every)
  const batch = useBatch(refresh)
  const actions = useHostActions(batch, refresh)
  const [editing, setEditing, unsaved] = useEditing<EdgeHost | 'new'>('edgeHost', '边缘主机')
  const [replacing, setReplacing] = useState<EdgeHost>()
  const places = usePlaces(projectId)

  const { columns, size, scroll, chooser } = useColumns<EdgeHost>(
    'edgeHost',
    [
      {
        ...column(EdgeHost, 'name'),
        ...sortable('name'),
        width: 136,
        ellipsis: true,
        render: (name: string, { id }) => (
          <RowLink to={edgeHostApi.get} at={`${paths.deviceAccess.edgeHost()}/${id}`} name={name} />
        ),
      },
      {
        ...column(EdgeHost, 'deviceName'),
        ...sortable('deviceName'),
        width: 92,
        ellipsis: true,
        render: asCode,
      },
      { ...column(EdgeHost, 'productName'), width: 110, ellipsis: true },
      { ...column(EdgeHost, 'place'), width: 124, ellipsis: true },
      {
        ...column(EdgeHost, 'state'),
        width: 78,
        render: (_, host) => <HostState host={host} />,
      },
      {
        ...column(EdgeHost, 'childCount'),
        title: '子设备在线',
        width: 90,
        align: 'right',
        render: (_, { childOnline, childCount }) => `${childOnline} / ${childCount}`,
      },
      {
        key: 'usage',
        title: 'CPU / 内存 / 磁盘',
        width: 132,
        align: 'right',
        render: (_, { cpu, memory, disk }) =>
          cpu === null && memory === null && disk === null
            ? unknown
            : `${told(cpu)} / ${told(memory)} / ${told(disk)} %`,
      },
      {
        ...column(EdgeHost, 'heartbeatTime'),
        width: 104,
        render: (time: string | null) => (
          <span title={shown(time)}>{time ? zoned(time).format('MM-DD HH:mm') : unknown}</span>
        ),
      },
      {
        ...column(EdgeHost, 'configVersion'),
        width: 132,
        render: (_, host) => <ConfigState host={host} />,
      },
      { ...column(EdgeHost, 'address'), width: 120 },
      { ...column(EdgeHost, 'os'), width: 120, ellipsis: true, render: word },
      { ...column(EdgeHost, 'firmware'), width: 90, render: word },
      { ...column(EdgeHost, 'createTime'), ...sortable('createTime'), width: 160 },
      actionsColumn<EdgeHost>({
        api: { update: edgeHostApi.update, remove: managedDeviceApi.remove },
        edit: setEditing,
        remove: (host) => actions.remove(host, refresh),
        more: (host) => [
          host.state === 'disabled'
            ? { label: '启用', to: setStatus, onClick: () => actions.enable(host) }
            : { label: '禁用', to: setStatus, onClick: () => actions.disable(host) },
          {
            label: '重启',
            to: edgeHostApi.restart,
            unless: awayReason(host),
            onClick: () => actions.restart(host),
          },
          {
            label: '替换',
            to: edgeHostApi.replace,
            unless: host.replacedBy && '已经替换过',
            onClick: () => setReplacing(host),
          },
          { label: '更换密钥', to: replaceSecret, onClick: () => actions.replaceSecret(host) },
        ],
      }),
    ],
    ['productName', 'address', 'os', 'firmware', 'createTime'],
  )

  return (
    <Panel>
      {unsaved}
      <Toolbar
        filters={
          <ProjectFilters
            filters={filters}
            search={search}
            of={[
              textFilter('name', '主机名称或序列号', 180),
              choiceFilter('spaceId', '位置', places),
              choiceFilter('state', '状态', states, 100),
            ]}
          />
        }
        batch={
          <StatusBatch
            batch={batch}
            api={{ ...managedDeviceApi, exportRows }}
            within={{ projectId }}
          />
        }
      >
        {chooser}
        <Import
          name="边缘主机"
          to={importRows}
          update={edgeHostApi.update}
          within={{ projectId }}
          unless={noProject}
          note="每台主机的密钥在导入时生成，只能取走一次"
          onImported={refresh}
        />
        <Export from={exportRows} input={input} />
        <CreateButton to={create} unless={noProject} onClick={() => setEditing('new')} />
      </Toolbar>
      <Table<EdgeHost>
        size={size}
        columns={columns}
        rowSelection={batch.selection}
        {...table}
        scroll={scroll}
      />
      {editing && (
        <EdgeHostForm
          projectId={projectId}
          host={editing === 'new' ? undefined : editing}
          onSaved={saved}
          onClose={() => setEditing(undefined)}
        />
      )}
      {replacing && (
        <ReplaceForm host={replacing} onSaved={saved} onClose={() => setReplacing(undefined)} />
      )}
    </Panel>
  )
}
