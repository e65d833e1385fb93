import { Alert, Descriptions, Flex, Progress, Typography } from 'antd'
import { degradedUsagePercent } from '@iot/shared/contract/device/edgeHost'
import { EdgeHost, type EdgeHostDetail } from '@iot/shared/contract/device/edgeHost.schema'
import { getFieldTitle } from '@iot/shared/contract/fieldTitle'
import { formatValue } from '@iot/shared/ui/field'
import { DeviceRefusals } from '@iot/shared/ui/refusalList'
import { ConfigState, formatReported, unknownLabel } from './HostState'

const usageFields = ['cpu', 'memory', 'disk'] as const
const fieldFormatters: { [K in keyof EdgeHost]?: (host: EdgeHostDetail) => React.ReactNode } = {
  productName: ({ productName }) => productName,
  deviceName: ({ deviceName }) => <code>{deviceName}</code>,
  productKey: ({ productKey }) => <code>{productKey}</code>,
  place: ({ place }) => place || '未放置',
  os: ({ os }) => formatReported(os),
  firmware: ({ firmware }) => formatReported(firmware),
  address: ({ address }) => address || unknownLabel,
  heartbeatInterval: ({ heartbeatInterval }) => `${heartbeatInterval} 秒`,
  heartbeatTime: ({ heartbeatTime }) => (heartbeatTime ? formatValue(heartbeatTime) : unknownLabel),
  onlineTime: ({ onlineTime }) => formatValue(onlineTime),
  childCount: ({ childOnline, childCount }) => `${childOnline} / ${childCount} 在线`,
  configVersion: (host) => <ConfigState host={host} />,
  createTime: ({ createTime }) => formatValue(createTime),
  updateTime: ({ updateTime }) => formatValue(updateTime),
}

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
        items={Object.entries(fieldFormatters).map(([name, text]) => ({
          key: name,
          label: getFieldTitle(EdgeHost, name),
          children: text(host) || '—',
        }))}
      />
    </Flex>
  )
}
