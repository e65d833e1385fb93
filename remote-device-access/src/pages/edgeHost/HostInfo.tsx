import Alert from 'antd/es/alert'
import Descriptions from 'antd/es/descriptions'
import Flex from 'antd/es/flex'
import Progress from 'antd/es/progress'
import Typography from 'antd/es/typography'
import { degradedUsagePercent } from '@iot/shared/contract/device/edgeHost'
import { EdgeHost, type EdgeHostDetail } from '@iot/shared/contract/device/edgeHost.schema'
import { getFieldTitle } from '@iot/shared/contract/fieldTitle'
import { buildFieldItems, formatValue } from '@iot/shared/ui/field'
import { DeviceRefusals } from '@iot/shared/ui/refusalList'
import { ConfigState, formatReported, unknownLabel } from './HostState'

const usageFields = ['cpu', 'memory', 'disk'] as const
const renderFields = (host: EdgeHostDetail): { [K in keyof EdgeHost]?: React.ReactNode } => ({
  productName: host.productName,
  deviceName: <code>{host.deviceName}</code>,
  productKey: <code>{host.productKey}</code>,
  place: host.place || '未放置',
  os: formatReported(host.os),
  firmware: formatReported(host.firmware),
  address: host.address || unknownLabel,
  heartbeatInterval: `${host.heartbeatInterval} 秒`,
  heartbeatTime: host.heartbeatTime ? formatValue(host.heartbeatTime) : unknownLabel,
  onlineTime: formatValue(host.onlineTime),
  childCount: `${host.childOnline} / ${host.childCount} 在线`,
  configVersion: <ConfigState host={host} />,
  createTime: formatValue(host.createTime),
  updateTime: formatValue(host.updateTime),
})

export function HostInfo({ host }: { host: EdgeHostDetail }) {
  return (
    <Flex vertical gap={16}>
      {host.why && <Alert type="warning" showIcon title={`降级：${host.why}`} />}
      {host.replacedBy && <Alert type="info" showIcon title={`已由“${host.replacedBy}”替换`} />}
      <DeviceRefusals {...host} />
      <Flex gap={32} wrap>
        {usageFields.map((name) => {
          const value = host[name]
          return (
            <Flex key={name} vertical gap={4} style={{ flex: '1 1 180px', maxWidth: 320 }}>
              <Flex justify="space-between">
                <Typography.Text type="secondary">{getFieldTitle(EdgeHost, name)}</Typography.Text>
                <span style={{ fontVariantNumeric: 'tabular-nums' }}>
                  {formatReported(value, value === null ? '' : ' %')}
                </span>
              </Flex>
              <Progress
                percent={value ?? 0}
                showInfo={false}
                status={(value ?? 0) >= degradedUsagePercent ? 'exception' : 'normal'}
                aria-label={getFieldTitle(EdgeHost, name)}
              />
            </Flex>
          )
        })}
      </Flex>
      <Descriptions
        column={{ xs: 1, md: 2 }}
        items={buildFieldItems(EdgeHost, renderFields(host))}
      />
    </Flex>
  )
}
