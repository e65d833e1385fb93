import { Typography } from 'antd'
import { useAtomValue } from 'jotai'
import { alarmRuleApi } from '@iot/shared/contract/alarm/alarmRule.api'
import { AlarmRuleRow } from '@iot/shared/contract/alarm/alarmRule.schema'
import { severityText } from '@iot/shared/contract/alarm/alarmSeverity'
import { statusText } from '@iot/shared/contract/fields'
import { type Status } from '@iot/shared/contract/fields.schema'
import { toTextOptions } from '@iot/shared/contract/options'
import { projectOptionsAtom } from '@iot/shared/session/project'
import { call } from '@iot/shared/client/call'
import { BatchActions, useBatch } from '@iot/shared/ui/batch'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { actionsColumn, createNameRenderer } from '@iot/shared/ui/right'
import { statusColumn } from '@iot/shared/ui/status'
import { CreateButton } from '@iot/shared/ui/toolbar'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'
import { SeverityText } from './SeverityText'

const createStatusCall = (status: Status) => (ids: string[]) =>
  call(alarmRuleApi.setStatus, { ids, status })
const RuleForm = lazyDialog(() => import('./RuleForm'))

/** Lists the rules of all projects and of those that the user sees. */
export function Rules() {
  const list = usePage(alarmRuleApi.page, { empty: '还没有告警规则', create: alarmRuleApi.create })
  const batch = useBatch(list)
  const remove = useRemoveRow(alarmRuleApi.remove, list.refresh)
  const [editing, setEditing, unsavedNotice] = useEditing<AlarmRuleRow | 'new'>(
    'alarmRule',
    '告警规则',
  )
  const projects = useAtomValue(projectOptionsAtom)
  const projectNames = new Map<number | null, string>([
    [null, '全部项目'],
    ...projects.map(({ value, label }): [number, string] => [value, label]),
  ])
  const projectChoices = [
    { value: '0', label: '全部项目' },
    ...projects.map(({ value, label }) => ({ value: String(value), label })),
  ]
  const columns = useColumns<AlarmRuleRow>('alarmRule', [
    {
      ...column(AlarmRuleRow, 'name'),
      ...list.sortable('name'),
      width: 160,
      ellipsis: true,
      render: createNameRenderer<AlarmRuleRow>(alarmRuleApi.update, setEditing),
    },
    {
      ...column(AlarmRuleRow, 'sentence'),
      width: 310,
      ellipsis: true,
      render: (_, { sentence, brokenReason }) => (
        <>
          {brokenReason && (
            <Typography.Text type="danger">不会触发：{brokenReason}。 </Typography.Text>
          )}
          {sentence}
        </>
      ),
    },
    {
      ...column(AlarmRuleRow, 'severity'),
      width: 84,
      render: (_, { severity }) => <SeverityText severity={severity} />,
    },
    {
      ...column(AlarmRuleRow, 'projectId'),
      width: 120,
      ellipsis: true,
      render: (projectId: number | null) => projectNames.get(projectId) ?? '—',
    },
    { ...column(AlarmRuleRow, 'openCount'), width: 80, align: 'right' },
    { ...column(AlarmRuleRow, 'recentCount'), width: 80, align: 'right' },
    statusColumn<AlarmRuleRow>(),
    actionsColumn<AlarmRuleRow>({
      api: alarmRuleApi,
      edit: setEditing,
      remove,
      unless: ({ builtin }) => builtin && '内置规则不能删除，可以禁用',
    }),
  ])

  return (
    <>
      {unsavedNotice}
      <ListTable<AlarmRuleRow>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '规则名称'),
          choiceFilter('severity', '级别', toTextOptions(severityText), 100),
          choiceFilter('status', '状态', toTextOptions(statusText), 100),
          choiceFilter('projectId', '项目', projectChoices, 150),
        ]}
        selection={batch.selection}
        batchActions={
          <BatchActions
            batch={batch}
            of={[
              {
                label: '启用',
                to: alarmRuleApi.setStatus,
                onClick: () => batch.run('启用', createStatusCall('enabled')),
              },
              {
                label: '禁用',
                to: alarmRuleApi.setStatus,
                onClick: () =>
                  batch.disable({
                    send: createStatusCall('disabled'),
                    undo: createStatusCall('enabled'),
                  }),
              },
            ]}
          />
        }
      >
        <CreateButton to={alarmRuleApi.create} onClick={() => setEditing('new')} />
      </ListTable>
      {editing && (
        <RuleForm
          rule={editing === 'new' ? undefined : editing}
          onSaved={list.saved}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}
