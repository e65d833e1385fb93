import { Typography } from 'antd'
import { severityText } from '@iot/shared/contract/alarm/alarmSeverity'
import { formatPolicyHours } from '@iot/shared/contract/alarm/notificationPolicy'
import { notificationPolicyApi as api } from '@iot/shared/contract/alarm/notificationPolicy.api'
import { NotificationPolicy } from '@iot/shared/contract/alarm/notificationPolicy.schema'
import { useBatch } from '@iot/shared/ui/batch'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { Panel } from '@iot/shared/ui/panel'
import { actionsColumn, createNameRenderer } from '@iot/shared/ui/right'
import { StatusBatch, statusColumn, statusOptions } from '@iot/shared/ui/status'
import { CreateButton } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'
import * as styles from './policyPage.module.css'

const PolicyForm = lazyDialog(() => import('./PolicyForm'))

export function Component() {
  const list = usePage(api.page, {
    empty: '还没有通知策略，告警不会发给任何人；点“新建通知策略”添加',
    create: api.create,
  })
  const batch = useBatch(list)
  const [editing, setEditing, unsavedNotice] = useEditing<NotificationPolicy | 'new'>(
    'notificationPolicy',
    '通知策略',
  )
  const remove = useRemoveRow(api.remove, list.refresh)
  const renderName = createNameRenderer<NotificationPolicy>(api.update, setEditing)
  const columns = useColumns<NotificationPolicy>('notificationPolicy', [
    {
      ...column(NotificationPolicy, 'name'),
      ...list.sortable('name'),
      width: 180,
      render: (value, policy) => (
        <>
          {renderName(value, policy)}
          {policy.warnings.map((warning) => (
            <Typography.Text key={warning} type="danger" className={styles.warning}>
              {warning}
            </Typography.Text>
          ))}
        </>
      ),
    },
    {
      ...column(NotificationPolicy, 'severities'),
      width: 180,
      render: (severities: NotificationPolicy['severities']) =>
        severities.map((severity) => severityText[severity]).join('、'),
    },
    {
      ...column(NotificationPolicy, 'projectIds'),
      title: '项目',
      width: 110,
      render: (ids: number[]) => (ids.length === 0 ? '全部' : `${ids.length} 个`),
    },
    {
      ...column(NotificationPolicy, 'dayMode'),
      title: '生效时间',
      width: 190,
      render: (_, policy) => formatPolicyHours(policy),
    },
    {
      ...column(NotificationPolicy, 'steps'),
      width: 180,
      render: (steps: NotificationPolicy['steps']) =>
        steps
          .map(({ afterMinutes }) => (afterMinutes === 0 ? '立即' : `${afterMinutes} 分钟`))
          .join(' → '),
    },
    statusColumn<NotificationPolicy>(),
    actionsColumn<NotificationPolicy>({ api, edit: setEditing, remove }),
  ])
  return (
    <Panel>
      {unsavedNotice}
      <ListTable<NotificationPolicy>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '策略名称'),
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        selection={batch.selection}
        batchActions={<StatusBatch batch={batch} api={api} />}
      >
        <CreateButton to={api.create} onClick={() => setEditing('new')} />
      </ListTable>
      {editing && (
        <PolicyForm
          policy={editing === 'new' ? undefined : editing}
          onSaved={list.saved}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Panel>
  )
}
