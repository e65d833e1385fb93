import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Descriptions from 'antd/es/descriptions'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import Typography from 'antd/es/typography'
import { call } from '@iot/shared/client/call'
import { transportText } from '@iot/shared/contract/product/communicationProtocol'
import type { ProductDetail } from '@iot/shared/contract/product/product.schema'
import { productApi } from '@iot/shared/contract/product/product.api'
import { toFileUrl } from '@iot/shared/contract/platform/siteAddress'
import { formatValue } from '@iot/shared/ui/field'
import { RefusalList } from '@iot/shared/ui/refusalList'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { generateSampleCode } from './sampleCode'

const pollIntervalMs = 2000
const renderCopyable = (text: string) => (
  <Typography.Text code copyable>
    {text}
  </Typography.Text>
)
const deviceTopics = [
  ['thing/event/property/post', '发布', '上报属性'],
  ['thing/service/property/set', '订阅', '设置属性'],
  ['thing/event/{标识符}/post', '发布', '上报事件'],
  ['thing/service/{标识符}', '订阅', '调用异步服务'],
] as const
const syncTopics = [
  ['rrpc/request/{消息 id}', '订阅', '调用同步服务'],
  ['rrpc/response/{消息 id}', '发布', '应答同步服务'],
] as const
const gatewayTopics = [
  ['thing/topo/add', '发布', '添加子设备'],
  ['thing/sub/register', '发布', '子设备注册'],
] as const

/**
 * Shows the address and credentials for connecting devices of a product, and whether the first device has connected.
 */
export default function ProductAccess({ product }: { product: ProductDetail }) {
  const { id, productKey, node, model, deviceCount, speaks: protocolDetails, authType } = product
  const { data, error, refresh } = useRequest(
    () => call(productApi.access, { id }, { inline: true }),
    { pollingInterval: pollIntervalMs, pollingErrorRetryCount: 3 },
  )
  const address =
    data?.mqttUrl ?? (data?.mqttPort ? `mqtt://${location.hostname}:${data.mqttPort}` : undefined)
  const code = generateSampleCode(product, address ?? '<连接地址>')

  return (
    <Flex vertical gap={16}>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {data &&
        (data.heard ? (
          <Alert
            type="success"
            showIcon
            title={`${deviceCount > 1 ? '最近一条消息' : '收到第一条消息'}：${data.heard.name}（${data.heard.deviceName}），${formatValue(data.heard.time)}`}
          />
        ) : (
          <Alert type="info" showIcon title="等待第一条消息，设备上报后这里会立即显示" />
        ))}
      {data && data.refusals.length > 0 && <RefusalList rows={data.refusals} />}
      <Descriptions
        column={1}
        items={[
          {
            key: 'address',
            label: '连接地址',
            children: address ? renderCopyable(address) : '未知',
          },
          { key: 'key', label: 'ProductKey', children: renderCopyable(productKey) },
          {
            key: 'user',
            label: '用户名',
            children: renderCopyable(`<DeviceName>&${productKey}`),
          },
          {
            key: 'secret',
            label: '密码',
            children:
              node === 'sub'
                ? '子设备由网关代为登录，用自己的 DeviceSecret 签名'
                : authType === 'productSecret'
                  ? '设备先用产品密钥按自注册规则注册一次，取得自己的 DeviceSecret，再用它对连接参数做 HMAC 签名'
                  : '用 DeviceSecret 对连接参数做 HMAC 签名；DeviceSecret 在“设备”里登记时显示一次',
          },
          ...(protocolDetails
            ? [
                {
                  key: 'protocol',
                  label: '通信协议',
                  children: <ProtocolDetails {...protocolDetails} />,
                },
              ]
            : []),
        ]}
      />
      <Table
        size="small"
        rowKey="topic"
        pagination={false}
        scroll={{ x: 'max-content' }}
        columns={[
          { title: 'Topic', dataIndex: 'topic', render: renderCopyable },
          { title: '设备', dataIndex: 'way', width: 80 },
          { title: '用途', dataIndex: 'use', width: 160 },
        ]}
        dataSource={[
          ...deviceTopics,
          ...(model.services.some(({ callType }) => callType === 'sync') ? syncTopics : []),
          ...(node === 'gateway' ? gatewayTopics : []),
        ].map(([action, direction, purpose]) => ({
          topic: `/sys/${productKey}/<DeviceName>/${action}`,
          way: direction,
          use: purpose,
        }))}
      />
      <Typography.Paragraph copyable={{ text: code }} style={{ margin: 0 }}>
        示例（Node.js）
        <pre>{code}</pre>
      </Typography.Paragraph>
    </Flex>
  )
}

/** Shows the protocol of the devices and the parameters to enter on the device or gateway. */
const ProtocolDetails = ({
  name,
  transport,
  protocolVersion,
  parameters,
  document,
}: NonNullable<ProductDetail['speaks']>) => (
  <Flex vertical>
    <span>
      {[name, protocolVersion, transportText[transport]].filter(Boolean).join(' · ')}
      {document && (
        <>
          {' '}
          <a href={toFileUrl(document)} target="_blank" rel="noreferrer">
            协议文档
          </a>
        </>
      )}
    </span>
    {parameters.length > 0 && (
      <Typography.Text type="secondary">
        在设备或网关上填写：
        {parameters
          .map(
            ({ label, required, default: value }) =>
              `${label}${value ? `（默认 ${value}）` : required ? '（必填）' : ''}`,
          )
          .join('、')}
      </Typography.Text>
    )}
  </Flex>
)
