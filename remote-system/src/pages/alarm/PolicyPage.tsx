import Typography from 'antd/es/typography'
import { severityText } from '@iot/shared/contract/alarm/alarmSeverity'
import {
  formatPolicyHours,
  notificationPolicyTitles,
} from '@iot/shared/contract/alarm/notificationPolicy'
import { notificationPolicyApi as api } from '@iot/shared/contract/alarm/notificationPolicy.api'
import type { NotificationPolicy } from '@iot/shared/contract/alarm/notificationPolicy.schema'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { RecordList, useRecordList } from '@iot/shared/ui/recordList'
import { actionsColumn, createNameRenderer } from '@iot/shared/ui/right'
import { statusColumn, statusOptions } from '@iot/shared/ui/status'
import { useColumns } from '@iot/shared/ui/useColumns'
import * as styles from './policyPage.module.css'

const PolicyForm = lazyDialog(() => import('./PolicyForm'))

export function Component() {
  const list = useRecordList(api, {
    draft: 'notificationPolicy',
    title: '通知策略',
    empty: '还没有通知策略，告警不会发给任何人；点“新建通知策略”添加',
  })
  const renderName = createNameRenderer<NotificationPolicy>(api.update, list.edit)
  const columns = useColumns<NotificationPolicy>('notificationPolicy', [
    {
      ...column(notificationPolicyTitles, 'name'),
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
      ...column(notificationPolicyTitles, 'severities'),
      width: 180,
      render: (severities: NotificationPolicy['severities']) =>
        severities.map((severity) => severityText[severity]).join('、'),
    },
    {
      ...column(notificationPolicyTitles, 'projectIds'),
      title: '项目',
      width: 110,
      render: (ids: number[]) => (ids.length === 0 ? '全部' : `${ids.length} 个`),
    },
    {
      ...column(notificationPolicyTitles, 'dayMode'),
      title: '生效时间',
      width: 190,
      render: (_, policy) => formatPolicyHours(policy),
    },
    {
      ...column(notificationPolicyTitles, 'steps'),
      width: 180,
      render: (steps: NotificationPolicy['steps']) =>
        steps
          .map(({ afterMinutes }) => (afterMinutes === 0 ? '立即' : `${afterMinutes} 分钟`))
          .join(' → '),
    },
    statusColumn<NotificationPolicy>(),
    actionsColumn<NotificationPolicy>(list),
  ])
  return (
    <Panel>
      <RecordList<NotificationPolicy>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '策略名称'),
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        form={(policy) => <PolicyForm policy={policy} onSaved={list.saved} onClose={list.close} />}
      />
    </Panel>
  )
}
