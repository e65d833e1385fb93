import useInterval from 'ahooks/es/useInterval'
import type { TableColumnType } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { edgeStateText, edgeHostTitles } from '@iot/shared/contract/device/edgeHost'
import type { EdgeHost } from '@iot/shared/contract/device/edgeHost.schema'
import { edgeHostApi } from '@iot/shared/contract/device/edgeHost.api'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { toTextOptions } from '@iot/shared/contract/options'
import { paths } from '@iot/shared/screens/paths'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { StatusBatch } from '@iot/shared/ui/status'
import { useBatch } from '@iot/shared/ui/batch'
import { renderCode, column, formatValue } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { ExportButton, ImportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { Panel } from '@iot/shared/ui/panel'
import { actionsColumn, RowLink } from '@iot/shared/ui/right'
import { CreateButton } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'
import { formatPageTime } from '@iot/shared/client/zone'
import { ProjectFilters } from '../device/ProjectFilters'
import { useNoProjectHint } from '../device/useNoProjectHint'
import { useSecretsReplacement } from '../device/useSecretsReplacement'
import { useSpaceOptions } from '../device/useSpaceOptions'
import { ConfigState, HostState, formatReported, unknownLabel } from './HostState'
import { getOfflineReason, useHostActions } from './useHostActions'

const EdgeHostForm = lazyDialog(() => import('./EdgeHostForm'))
const ReplaceForm = lazyDialog(() => import('./ReplaceForm'))
const { create, exportRows, importRows } = edgeHostApi
const stateOptions = toTextOptions(edgeStateText)
const { setStatus, replaceSecret } = managedDeviceApi
/** The list polls at this interval in ms, because heartbeats and child devices change without a notification. */
const pollIntervalMs = 15_000
const formatText = (value: string | null) => formatReported(value)

export function Component() {
  const projectId = useAtomValue(currentProjectIdAtom)
  const noProjectHint = useNoProjectHint()
  const list = usePage(edgeHostApi.page, {
    empty: '当前项目还没有边缘主机，点“登记边缘主机”添加',
    create,
    within: { projectId },
    unless: noProjectHint,
  })
  useInterval(list.refresh, noProjectHint ? undefined : pollIntervalMs)
  const batch = useBatch(list)
  const actions = useHostActions(batch, list.refresh)
  const secrets = useSecretsReplacement(batch, '主机')
  const [editing, setEditing, unsavedNotice] = useEditing<EdgeHost | 'new'>('edgeHost', '边缘主机')
  const [hostToReplace, setHostToReplace] = useState<EdgeHost>()
  const spaceOptions = useSpaceOptions(projectId)

  const columns = useColumns<EdgeHost>(
    'edgeHost',
    createHostColumns({
      sortable: list.sortable,
      actions,
      refresh: list.refresh,
      onEdit: setEditing,
      onReplace: setHostToReplace,
    }),
    ['productName', 'address', 'os', 'firmware', 'createTime'],
  )

  return (
    <Panel>
      {unsavedNotice}
      <ListTable<EdgeHost>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '主机名称或序列号', 180),
          choiceFilter('spaceId', '位置', spaceOptions),
          choiceFilter('state', '状态', stateOptions, 100),
        ]}
        filterBar={ProjectFilters}
        selection={batch.selection}
        batchActions={
          <StatusBatch
            batch={batch}
            api={{ ...managedDeviceApi, exportRows }}
            within={{ projectId }}
            more={[secrets.action]}
          />
        }
      >
        <ImportButton
          name="边缘主机"
          to={importRows}
          update={edgeHostApi.update}
          within={{ projectId }}
          unless={noProjectHint}
          note="每台主机的密钥在导入时生成，只能取走一次"
          onImported={list.refresh}
        />
        <ExportButton from={exportRows} input={list.input} />
        <CreateButton to={create} unless={noProjectHint} onClick={() => setEditing('new')} />
      </ListTable>
      {editing && (
        <EdgeHostForm
          projectId={projectId}
          host={editing === 'new' ? undefined : editing}
          onSaved={list.saved}
          onClose={() => setEditing(undefined)}
        />
      )}
      {secrets.dialog}
      {hostToReplace && (
        <ReplaceForm
          host={hostToReplace}
          onSaved={list.saved}
          onClose={() => setHostToReplace(undefined)}
        />
      )}
    </Panel>
  )
}

type HostColumnsOptions = {
  sortable: ReturnType<typeof usePage<typeof edgeHostApi.page>>['sortable']
  actions: ReturnType<typeof useHostActions>
  refresh: () => void
  onEdit: (host: EdgeHost) => void
  onReplace: (host: EdgeHost) => void
}

const createHostColumns = ({
  sortable,
  actions,
  refresh,
  onEdit,
  onReplace,
}: HostColumnsOptions): TableColumnType<EdgeHost>[] => [
  {
    ...column(edgeHostTitles, 'name'),
    ...sortable('name'),
    width: 136,
    ellipsis: true,
    render: (name: string, { id }) => (
      <RowLink to={edgeHostApi.get} at={`${paths.deviceAccess.edgeHost()}/${id}`} name={name} />
    ),
  },
  {
    ...column(edgeHostTitles, 'deviceName'),
    ...sortable('deviceName'),
    width: 92,
    ellipsis: true,
    render: renderCode,
  },
  { ...column(edgeHostTitles, 'productName'), width: 110, ellipsis: true },
  { ...column(edgeHostTitles, 'place'), width: 124, ellipsis: true },
  {
    ...column(edgeHostTitles, 'state'),
    width: 78,
    render: (_, host) => <HostState host={host} />,
  },
  {
    ...column(edgeHostTitles, 'childCount'),
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
        ? unknownLabel
        : `${formatReported(cpu)} / ${formatReported(memory)} / ${formatReported(disk)} %`,
  },
  {
    ...column(edgeHostTitles, 'heartbeatTime'),
    width: 104,
    render: (time: string | null) => (
      <span title={formatValue(time)}>
        {time ? formatPageTime(time, 'MM-DD HH:mm') : unknownLabel}
      </span>
    ),
  },
  {
    ...column(edgeHostTitles, 'configVersion'),
    width: 132,
    render: (_, host) => <ConfigState host={host} />,
  },
  { ...column(edgeHostTitles, 'address'), width: 120 },
  { ...column(edgeHostTitles, 'os'), width: 120, ellipsis: true, render: formatText },
  { ...column(edgeHostTitles, 'firmware'), width: 90, render: formatText },
  { ...column(edgeHostTitles, 'createTime'), ...sortable('createTime'), width: 160 },
  actionsColumn<EdgeHost>({
    api: { update: edgeHostApi.update, remove: managedDeviceApi.remove },
    edit: onEdit,
    remove: (host) => actions.remove(host, refresh),
    more: (host) => [
      host.state === 'disabled'
        ? { label: '启用', to: setStatus, onClick: () => actions.enable(host) }
        : { label: '禁用', to: setStatus, onClick: () => actions.disable(host) },
      {
        label: '重启',
        to: edgeHostApi.restart,
        unless: getOfflineReason(host),
        onClick: () => actions.restart(host),
      },
      {
        label: '替换',
        to: edgeHostApi.replace,
        unless: host.replacedBy && '已经替换过',
        onClick: () => onReplace(host),
      },
      { label: '更换密钥', to: replaceSecret, onClick: () => actions.replaceSecret(host) },
    ],
  }),
]
