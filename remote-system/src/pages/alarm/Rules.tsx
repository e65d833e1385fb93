import Typography from 'antd/es/typography'
import { useAtomValue } from 'jotai'
import { alarmRuleApi } from '@iot/shared/contract/alarm/alarmRule.api'
import type { AlarmRuleRow } from '@iot/shared/contract/alarm/alarmRule.schema'
import { severityText } from '@iot/shared/contract/alarm/alarmSeverity'
import { statusText } from '@iot/shared/contract/fields'
import { toTextOptions } from '@iot/shared/contract/options'
import { projectOptionsAtom } from '@iot/shared/session/project'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { RecordList, useRecordList } from '@iot/shared/ui/recordList'
import { actionsColumn, createNameRenderer } from '@iot/shared/ui/right'
import { statusColumn } from '@iot/shared/ui/status'
import { useColumns } from '@iot/shared/ui/useColumns'
import { SeverityText } from './SeverityText'
import { alarmRuleRowTitles } from '@iot/shared/contract/alarm/alarmRule'

const RuleForm = lazyDialog(() => import('./RuleForm'))

/** Lists the rules of all projects and of those that the user sees. */
export function Rules() {
  const list = useRecordList(alarmRuleApi, {
    draft: 'alarmRule',
    title: '告警规则',
    empty: '还没有告警规则',
  })
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
      ...column(alarmRuleRowTitles, 'name'),
      ...list.sortable('name'),
      width: 160,
      ellipsis: true,
      render: createNameRenderer<AlarmRuleRow>(alarmRuleApi.update, list.edit),
    },
    {
      ...column(alarmRuleRowTitles, 'sentence'),
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
      ...column(alarmRuleRowTitles, 'severity'),
      width: 84,
      render: (_, { severity }) => <SeverityText severity={severity} />,
    },
    {
      ...column(alarmRuleRowTitles, 'projectId'),
      width: 120,
      ellipsis: true,
      render: (projectId: number | null) => projectNames.get(projectId) ?? '—',
    },
    { ...column(alarmRuleRowTitles, 'openCount'), width: 80, align: 'right' },
    { ...column(alarmRuleRowTitles, 'recentCount'), width: 80, align: 'right' },
    statusColumn<AlarmRuleRow>(),
    actionsColumn<AlarmRuleRow>({
      ...list,
      unless: ({ builtin }) => builtin && '内置规则不能删除，可以禁用',
    }),
  ])

  return (
    <RecordList<AlarmRuleRow>
      list={list}
      columns={columns}
      filters={[
        textFilter('name', '规则名称'),
        choiceFilter('severity', '级别', toTextOptions(severityText), 100),
        choiceFilter('status', '状态', toTextOptions(statusText), 100),
        choiceFilter('projectId', '项目', projectChoices, 150),
      ]}
      form={(rule) => <RuleForm rule={rule} onSaved={list.saved} onClose={list.close} />}
    />
  )
}
