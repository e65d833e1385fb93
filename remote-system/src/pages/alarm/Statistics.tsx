import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Popover from 'antd/es/popover'
import Table from 'antd/es/table'
import Typography from 'antd/es/typography'
import { call } from '@iot/shared/client/call'
import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import type { IncidentStatistics } from '@iot/shared/contract/alarm/incident.schema'

const formatMinutes = (minutes: number | null) =>
  minutes === null
    ? '—'
    : minutes < 1
      ? '不到 1 分钟'
      : minutes < 60
        ? `${minutes.toFixed(1)} 分钟`
        : `${(minutes / 60).toFixed(1)} 小时`

const renderNoisiest = (rows: IncidentStatistics['noisiest']) => (
  <Table
    size="small"
    rowKey={({ ruleId, subjectKey, projectId }) => `${ruleId} ${subjectKey} ${projectId}`}
    dataSource={rows}
    pagination={false}
    columns={[
      { title: '规则', dataIndex: 'ruleName' },
      { title: '对象', dataIndex: 'subjectName' },
      { title: '项目', dataIndex: 'projectName' },
      { title: '次数', dataIndex: 'count', align: 'right' },
    ]}
  />
)

/** Takes the place of the figures on every width until they are read. */
const placeholderFigures: IncidentStatistics = {
  opened: 100,
  resolved: 100,
  acknowledgeMinutes: 10,
  resolveMinutes: 10,
  noisiest: [
    {
      ruleId: '',
      subjectKey: '',
      projectId: 0,
      projectName: '',
      ruleName: '',
      subjectName: '',
      count: 1,
    },
  ],
}

/** Figures of the last 30 days above the list. */
export default function Statistics() {
  const { data, error, refresh } = useRequest(() =>
    call(incidentApi.statistics, {}, { quiet: true }),
  )
  // One line, because the list below says in full what is wrong if it fails as well.
  if (error)
    return (
      <Flex gap={8} align="center" style={{ minHeight: 32 }}>
        <Typography.Text type="secondary">没有取到近 30 天的统计</Typography.Text>
        <Button type="link" size="small" onClick={refresh}>
          重新统计
        </Button>
      </Flex>
    )
  const { opened, acknowledgeMinutes, resolveMinutes, noisiest } = data ?? placeholderFigures
  return (
    <Flex
      gap={16}
      align="center"
      wrap
      style={{ minHeight: 32, visibility: data ? undefined : 'hidden' }}
    >
      <Typography.Text type="secondary">近 30 天</Typography.Text>
      <span>发生 {opened} 次</span>
      <span>平均确认 {formatMinutes(acknowledgeMinutes)}</span>
      <span>平均恢复 {formatMinutes(resolveMinutes)}</span>
      {noisiest.length > 0 && (
        <Popover trigger="click" placement="bottom" content={renderNoisiest(noisiest)}>
          <Button type="link" size="small">
            次数最多的 {noisiest.length} 项
          </Button>
        </Popover>
      )}
    </Flex>
  )
}
