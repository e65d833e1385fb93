import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Tooltip from 'antd/es/tooltip'
import Typography from 'antd/es/typography'
import { call } from '@iot/shared/client/call'
import { alarmRuleApi } from '@iot/shared/contract/alarm/alarmRule.api'
import type { AlarmPreview, AlarmRuleDraft } from '@iot/shared/contract/alarm/alarmRule.schema'

const chartHeightPx = 72

function DayBars({ days }: Pick<AlarmPreview, 'days'>) {
  const maxCount = Math.max(1, ...days.map(({ count }) => count))
  return (
    <Flex
      gap={2}
      align="end"
      style={{ height: chartHeightPx }}
      role="img"
      aria-label="每天会发生的次数"
    >
      {days.map(({ day, count }) => (
        <Tooltip key={day} title={`${day}：${count} 次`}>
          <div
            style={{
              flex: 1,
              height: Math.max(1, Math.round((count / maxCount) * chartHeightPx)),
              background: count > 0 ? 'var(--ant-color-warning)' : 'var(--ant-color-border)',
            }}
          />
        </Tooltip>
      ))}
    </Flex>
  )
}

type RulePreviewProps = {
  /** Undefined while required fields are missing. */
  readDraft: () => Promise<AlarmRuleDraft | undefined>
}

/** Shows how often the rule in the form would have opened an incident in the stored history. */
export function RulePreview({ readDraft }: RulePreviewProps) {
  const { data, error, loading, run } = useRequest(
    async () => {
      const draft = await readDraft()
      return draft && call(alarmRuleApi.preview, draft, { quiet: true })
    },
    { manual: true },
  )
  return (
    <Flex vertical gap={8} style={{ marginBottom: 24 }}>
      <Flex gap={12} align="center">
        <Button onClick={run} loading={loading}>
          用近 30 天的历史试算
        </Button>
        {data && !data.reason && !error && (
          <Typography.Text>
            会发生 {data.total} 次，{data.deviceCount} 台设备
            {data.historyDays < 30 && `（只有 ${data.historyDays} 天的历史）`}
            {data.isPartial && '；历史太多，只算了一部分，实际更多'}
          </Typography.Text>
        )}
      </Flex>
      {error && <Alert type="error" showIcon title={error.message} />}
      {data?.reason && !error && <Alert role="status" type="info" showIcon title={data.reason} />}
      {data && !data.reason && !error && (
        <>
          <DayBars days={data.days} />
          <Flex justify="space-between">
            {[data.days[0]!, data.days.at(-1)!].map(({ day }) => (
              <Typography.Text key={day} type="secondary" style={{ fontSize: 12 }}>
                {day}
              </Typography.Text>
            ))}
          </Flex>
          {data.devices.length > 0 && (
            <Typography.Text type="secondary">
              最多的：{data.devices.map(({ name, count }) => `${name} ${count} 次`).join('、')}
            </Typography.Text>
          )}
        </>
      )}
    </Flex>
  )
}
