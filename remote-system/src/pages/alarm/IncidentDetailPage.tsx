import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Descriptions from 'antd/es/descriptions'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import Timeline from 'antd/es/timeline'
import Typography from 'antd/es/typography'
import { useState, type ReactNode } from 'react'
import { Link, useParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import {
  AlarmIncident,
  IncidentDevice,
  incidentEventText,
  type IncidentDetail,
} from '@iot/shared/contract/alarm/incident.schema'
import { incidentStatusText } from '@iot/shared/contract/alarm/incident'
import { toRowOptions } from '@iot/shared/contract/options'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { useFeedback } from '@iot/shared/ui/feedback'
import { buildFieldItems, column, formatValue } from '@iot/shared/ui/field'
import { lazyDialog, lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { Can } from '@iot/shared/ui/right'
import { Select } from '@iot/shared/ui/select'
import { DetailHead, useDetail } from '@iot/shared/ui/useDetail'
import { buildSelectProps, usePickerOptions } from '@iot/shared/ui/useListed'
import { ChartPlaceholder } from './ChartPlaceholder'
import { SeverityText } from './SeverityText'

const NoteDialog = lazyDialog(() => import('@iot/shared/ui/noteDialog'))
const IncidentChart = lazyPart(
  () => import('./IncidentChart'),
  () => <ChartPlaceholder />,
)

const snoozeOptions = [
  { value: 30, label: '30 分钟' },
  { value: 120, label: '2 小时' },
  { value: 480, label: '8 小时' },
  { value: 1440, label: '1 天' },
  { value: 10_080, label: '7 天' },
]
const toIncidentPath = (id: string) => `${paths.system.alarm.incident()}/${id}`
const toDevicePath = (id: string) => `${paths.deviceAccess.device()}/${id}`

/** These are shown once they are known. */
const laterFacts: ReadonlySet<keyof AlarmIncident> = new Set([
  'acknowledgedTime',
  'resolvedTime',
  'resolveReason',
])
function renderFacts(row: IncidentDetail) {
  const facts: [keyof AlarmIncident, ReactNode][] = [
    ['severity', <SeverityText key="severity" severity={row.severity} />],
    ['status', incidentStatusText[row.status]],
    ['ruleName', row.sentence || `${row.ruleName}（规则已删除）`],
    ['projectName', row.projectName],
    ['place', row.place],
    [
      'subjectName',
      row.deviceId ? (
        <Link to={toDevicePath(row.deviceId)}>{row.subjectName}</Link>
      ) : (
        row.subjectName
      ),
    ],
    ['firstTime', formatValue(row.firstTime)],
    ['openedTime', formatValue(row.openedTime)],
    ['lastTime', formatValue(row.lastTime)],
    ['count', row.isFlapping ? `${row.count}（变化频繁）` : row.count],
    [
      'acknowledgedTime',
      row.acknowledgedTime && `${formatValue(row.acknowledgedTime)} ${row.acknowledgedBy}`,
    ],
    ['resolvedTime', row.resolvedTime && `${formatValue(row.resolvedTime)} ${row.resolvedBy}`],
    ['resolveReason', row.resolveReason],
  ]
  const shownFacts = facts.filter(([name, value]) => Boolean(value) || !laterFacts.has(name))
  return (
    <Descriptions
      column={{ xs: 1, md: 2 }}
      items={buildFieldItems(AlarmIncident, Object.fromEntries(shownFacts))}
    />
  )
}

const renderDevices = (devices: IncidentDetail['devices'], deviceCount: number) => (
  <>
    <Typography.Title level={5}>
      设备 {deviceCount} 台{deviceCount > devices.length && `，列出 ${devices.length} 台`}
    </Typography.Title>
    <Table<IncidentDevice>
      size="small"
      rowKey="id"
      dataSource={devices}
      pagination={devices.length > 20 && { pageSize: 20, showSizeChanger: false }}
      scroll={{ x: 760 }}
      columns={[
        {
          ...column(IncidentDevice, 'name'),
          render: (name: string, { id }) => <Link to={toDevicePath(id)}>{name}</Link>,
        },
        { ...column(IncidentDevice, 'detail') },
        { ...column(IncidentDevice, 'firstTime'), width: 170 },
        {
          ...column(IncidentDevice, 'recoveredTime'),
          width: 170,
          render: (time: string | null) => (time ? formatValue(time) : '未恢复'),
        },
      ]}
    />
  </>
)

const problemKinds: ReadonlySet<string> = new Set(['opened', 'reopened', 'raised'])
const renderTimeline = (events: IncidentDetail['events']) => (
  <>
    <Typography.Title level={5}>时间线</Typography.Title>
    <Timeline
      items={events.map(({ id, kind, time, userName, text }) => ({
        key: id,
        color: problemKinds.has(kind) ? 'red' : kind === 'resolved' ? 'green' : 'blue',
        content: (
          <>
            <Typography.Text type="secondary">{formatValue(time)}</Typography.Text>{' '}
            <strong>{incidentEventText[kind]}</strong>
            {userName && ` ${userName}`}
            {text && text !== incidentEventText[kind] && `：${text}`}
          </>
        ),
      }))}
    />
  </>
)

const renderRelated = (related: IncidentDetail['related']) =>
  related.length > 0 && (
    <>
      <Typography.Title level={5}>同一时间的其他告警</Typography.Title>
      <Flex vertical gap={4}>
        {related.map(({ id, title, severity }) => (
          <Flex key={id} gap={12}>
            <SeverityText severity={severity} />
            <Link to={toIncidentPath(id)}>{title}</Link>
          </Flex>
        ))}
      </Flex>
    </>
  )

type DialogKind = 'acknowledge' | 'resolve' | 'note'
const dialogs = {
  acknowledge: { title: '确认告警', okText: '确认', label: '备注', isRequired: false },
  resolve: { title: '手动恢复告警', okText: '恢复', label: '原因', isRequired: true },
  note: { title: '备注告警', okText: '保存', label: '备注', isRequired: true },
}

export function Component() {
  const { id = '' } = useParams()
  const {
    row,
    change,
    take: replaceRow,
    frame: renderLoaded,
    refresh,
  } = useDetail(incidentApi.get, id)
  const [openDialog, setOpenDialog] = useState<DialogKind>()
  const canAssign = useCan()(incidentApi.assign)
  const { data: assignees } = usePickerOptions(incidentApi.assignees, {
    input: { id },
    ready: !!row && canAssign,
  })
  const { message } = useFeedback()
  const sending = useRequest(
    async (kind: DialogKind, text: string) => {
      if (kind === 'note') replaceRow(await call(incidentApi.addNote, { id, note: text }))
      else {
        const [answer] =
          kind === 'resolve'
            ? await call(incidentApi.resolve, { ids: [id], reason: text })
            : await call(incidentApi.acknowledge, { ids: [id], note: text })
        if (answer && !answer.ok) void message.warning(answer.reason)
        refresh()
      }
    },
    { manual: true },
  )
  const isResolved = row?.status === 'resolved' && '告警已恢复'

  return (
    <Panel>
      {renderLoaded(
        row && (
          <Flex vertical gap={16}>
            <DetailHead
              name={row.title}
              code={row.id}
              actions={
                <>
                  <Can
                    to={incidentApi.acknowledge}
                    unless={
                      isResolved ||
                      (row.status === 'acknowledged' && `${row.acknowledgedBy} 已确认`)
                    }
                  >
                    <Button type="primary" onClick={() => setOpenDialog('acknowledge')}>
                      确认
                    </Button>
                  </Can>
                  <Can to={incidentApi.resolve} unless={isResolved}>
                    <Button onClick={() => setOpenDialog('resolve')}>手动恢复</Button>
                  </Can>
                  <Can to={incidentApi.addNote}>
                    <Button onClick={() => setOpenDialog('note')}>备注</Button>
                  </Can>
                </>
              }
            />
            {row.snoozedUntil && (
              <Alert
                role="status"
                type="info"
                showIcon
                title={`暂停提醒至 ${formatValue(row.snoozedUntil)}`}
                action={
                  <Can to={incidentApi.snooze} unless={isResolved}>
                    <Button
                      size="small"
                      onClick={() =>
                        void change(({ version }, options) =>
                          call(incidentApi.snooze, { id, version, minutes: 0 }, options),
                        )
                      }
                    >
                      恢复提醒
                    </Button>
                  </Can>
                }
              />
            )}
            {renderFacts(row)}
            <Flex gap={12} align="center" wrap>
              <Can to={incidentApi.assign} unless={isResolved}>
                <Select
                  aria-label="负责人"
                  placeholder="指派负责人"
                  allowClear
                  showSearch={{ optionFilterProp: 'label' }}
                  style={{ width: 180 }}
                  {...buildSelectProps(
                    assignees && toRowOptions(assignees),
                    row.assigneeId ? { [row.assigneeId]: row.assigneeName } : undefined,
                  )}
                  value={row.assigneeId ?? undefined}
                  onChange={(assigneeId?: string) =>
                    void change(({ version }, options) =>
                      call(
                        incidentApi.assign,
                        { id, version, assigneeId: assigneeId ?? null },
                        options,
                      ),
                    )
                  }
                />
              </Can>
              <Can to={incidentApi.snooze} unless={isResolved}>
                <Select<number>
                  aria-label="暂停提醒"
                  placeholder="暂停提醒"
                  style={{ width: 130 }}
                  options={snoozeOptions}
                  value={null as never}
                  onChange={(minutes) =>
                    void change(({ version }, options) =>
                      call(incidentApi.snooze, { id, version, minutes }, options),
                    )
                  }
                />
              </Can>
              {row.previousId && <Link to={toIncidentPath(row.previousId)}>上一次告警</Link>}
            </Flex>
            {row.hasValues && <IncidentChart id={id} version={row.version} />}
            {row.devices.length > 0 && renderDevices(row.devices, row.deviceCount)}
            {renderTimeline(row.events)}
            {renderRelated(row.related)}
          </Flex>
        ),
      )}
      {openDialog && (
        <NoteDialog
          {...dialogs[openDialog]}
          onSubmit={(text) => sending.runAsync(openDialog, text)}
          onClose={() => setOpenDialog(undefined)}
        />
      )}
    </Panel>
  )
}
