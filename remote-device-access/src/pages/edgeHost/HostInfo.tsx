import { Alert, Descriptions, Flex, Progress, Typography } from 'antd'
import { EdgeHost, usageMost, type EdgeHostDetail } from '@iot/shared/contract/edgeHost'
import { titleOf } from '@iot/shared/contract/titleOf'
import { shown } from '@iot/shared/ui/field'
import { DeviceRefusals } from '@iot/shared/ui/refusalList'
import { ConfigState, told, unknown } from './HostState'

const gauges = ['cpu', 'memory', 'disk'] as const
const words: { [K in keyof EdgeHost]?: (host: EdgeHostDetail) => React.ReactNode } = {
  productName: ({ productName }) => productName,
  deviceName: ({ deviceName }) => <code>{deviceName}</code>,
  productKey: ({ productKey }) => <code>{productKey}</code>,
  place: ({ place }) => place || '未放置',
  os: ({ os }) => told(os),
  firmware: ({ firmware }) => told(firmware),
  address: ({ address }) => address || unknown,
  heartbeatInterval: ({ heartbeatInterval }) => `${heartbeatInterval} 秒`,
  heartbeatTime: ({ heartbeatTime }) => (heartbeatTime ? shown(heartbeatTime) : unknown),
  onlineTime: ({ onlineTime }) => shown(onlineTime),
  childCount: ({ childOnline, childCount }) => `${childOnline} / ${childCount} 在线`,
  configVersion: (host) => <ConfigState host={host} />,
  createTime: ({ createTime }) => shown(createTime),
  updateTime: ({ updateTime }) => shown(updateTime),
}

export function HostInfo({ host }: { host: EdgeHostDetail }) {
  return (
    <Flex vertical gap={16}>
      {host.why && <Alert type="warning" showIcon title={`降级：${host.why}`} />}
      {host.replacedBy && <Alert type="info" showIcon title={`已由“${host.replacedBy}”替换`} />}
      <DeviceRefusals {...host} />
      <Flex gap={32} wrap>
        {gauges.map((name) => {
          const value = host[name]
          return (
            <Flex key={name} vertical gap={4} style={{ flex: '1 1 180px', maxWidth: 320 }}>
              <Flex justify="space-between">
                <Typography.Text type="secondary">{titleOf(EdgeHost, name)}</Typography.Text>
                <span style={{ fontVariantNumeric: 'tabular-nums' }}>
                  {told(value, value === null ? '' : ' %')}
                </span>
              </Flex>
              <Progress
                percent={value ?? 0}
                showInfo={false}
                status={(value ?? 0) >= usageMost ? 'exception' : 'normal'}
                aria-label={titleOf(EdgeHost, name)}
              />
            </Flex>
          )
        })}
      </Flex>
      <Descriptions
        column={{ xs: 1, md: 2 }}
        items={Object.entries(words).map(([name, text]) => ({
          key: name,
          label: titleOf(EdgeHost, name),
          children: text(host) || '—',
        }))}
      />
    </Flex>
  )
}
