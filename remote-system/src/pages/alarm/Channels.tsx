import Button from 'antd/es/button'
import Tag from 'antd/es/tag'
import Tooltip from 'antd/es/tooltip'
import Typography from 'antd/es/typography'
import { useState } from 'react'
import {
  channelKindText,
  type ChannelKind,
  notificationChannelTitles,
} from '@iot/shared/contract/alarm/notificationChannel'
import { notificationChannelApi as api } from '@iot/shared/contract/alarm/notificationChannel.api'
import type { NotificationChannel } from '@iot/shared/contract/alarm/notificationChannel.schema'
import { notificationDeliveryApi } from '@iot/shared/contract/alarm/notificationDelivery.api'
import { toTextOptions } from '@iot/shared/contract/options'
import { column, formatValue } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { RecordList, useRecordList } from '@iot/shared/ui/recordList'
import { actionsColumn, createNameRenderer } from '@iot/shared/ui/right'
import { statusColumn, statusOptions } from '@iot/shared/ui/status'
import { useColumns } from '@iot/shared/ui/useColumns'

const ChannelForm = lazyDialog(() => import('./ChannelForm'))
const ChannelDrawer = lazyDialog(() => import('./ChannelDrawer'))

/** Shows first what needs a person, then what waits. */
function ChannelState({ channel }: { channel: NotificationChannel }) {
  const { brokenReason, pendingCount, nextTime, lastError, lastSuccessTime, lastFailureTime } =
    channel
  if (brokenReason)
    return (
      <Tooltip title={brokenReason}>
        <Tag color="error">需要处理</Tag>
      </Tooltip>
    )
  const hasFailedLast =
    lastFailureTime !== null && (lastSuccessTime === null || lastSuccessTime < lastFailureTime)
  if (pendingCount === 0 && hasFailedLast && lastError)
    return (
      <Typography.Text ellipsis={{ tooltip: lastError }}>上次没有送达：{lastError}</Typography.Text>
    )
  if (pendingCount === 0) return <>—</>
  return (
    <Tooltip title={[`下次发送：${formatValue(nextTime)}`, lastError].filter(Boolean).join('，')}>
      <span>{pendingCount} 条待发送</span>
    </Tooltip>
  )
}

/** Lists the ways to reach people and what waits for each of them. */
export function Channels() {
  const list = useRecordList(api, {
    draft: 'notificationChannel',
    title: '通知渠道',
    empty: '还没有通知渠道，点“新建通知渠道”添加',
  })
  const [viewed, setViewed] = useState<NotificationChannel>()
  const columns = useColumns<NotificationChannel>('notificationChannel', [
    {
      ...column(notificationChannelTitles, 'name'),
      ...list.sortable('name'),
      width: 170,
      ellipsis: true,
      render: createNameRenderer<NotificationChannel>(api.update, list.edit),
    },
    {
      ...column(notificationChannelTitles, 'kind'),
      width: 140,
      render: (kind: ChannelKind) => channelKindText[kind],
    },
    {
      ...column(notificationChannelTitles, 'urlHint'),
      width: 240,
      ellipsis: true,
      render: (urlHint: string, { kind, smtpHost, smtpPort }) =>
        kind === 'browser' ? (
          '打开的控制台页面'
        ) : (
          <code style={{ fontSize: 12 }}>{urlHint || `${smtpHost}:${smtpPort}`}</code>
        ),
    },
    {
      ...column(notificationChannelTitles, 'pendingCount'),
      width: 130,
      render: (_, channel) => <ChannelState channel={channel} />,
    },
    { ...column(notificationChannelTitles, 'lastSuccessTime'), width: 152 },
    { ...column(notificationChannelTitles, 'lastFailureTime'), width: 152 },
    statusColumn<NotificationChannel>(),
    actionsColumn<NotificationChannel>({
      ...list,
      more: (channel) => [
        {
          label: '测试与发送记录',
          to: notificationDeliveryApi.page,
          onClick: () => setViewed(channel),
        },
      ],
    }),
  ])

  return (
    <>
      <RecordList<NotificationChannel>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '渠道名称'),
          choiceFilter('kind', '类型', toTextOptions(channelKindText), 150),
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        form={(channel) => (
          <ChannelForm channel={channel} onSaved={list.saved} onClose={list.close} />
        )}
      >
        <Button onClick={list.refresh}>刷新</Button>
      </RecordList>
      {viewed && (
        <ChannelDrawer
          channel={viewed}
          onClose={() => {
            setViewed(undefined)
            list.refresh()
          }}
        />
      )}
    </>
  )
}
