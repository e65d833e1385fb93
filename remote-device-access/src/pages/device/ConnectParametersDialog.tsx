import useRequest from 'ahooks/es/useRequest'
import Descriptions from 'antd/es/descriptions'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import Modal from 'antd/es/modal'
import Radio from 'antd/es/radio'
import Skeleton from 'antd/es/skeleton'
import Typography from 'antd/es/typography'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { formatValue } from '@iot/shared/ui/field'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { formatConnectParameters, listConnectParameters } from './connectText'

type ConnectParametersDialogProps = {
  device: { id: string; name: string }
  onClose: () => void
}

/** A radio group has no null value, so 0 stands for parameters without an end. */
const unlimited = 0
const validityOptions = [
  { value: 1, label: '1 天' },
  { value: 30, label: '30 天' },
  { value: 365, label: '1 年' },
  { value: unlimited, label: '更换密钥为止' },
]

/** Shows what any MQTT client needs to connect as this device, to be copied at once. */
export default function ConnectParametersDialog({
  device: { id, name },
  onClose,
}: ConnectParametersDialogProps) {
  const [days, setDays] = useState(30)
  const {
    data,
    error,
    loading: isSigning,
    refresh,
  } = useRequest(
    () => call(managedDeviceApi.connectParameters, { id, days: days || null }, { inline: true }),
    { refreshDeps: [id, days] },
  )
  // Parameters of another validity than the chosen one must not be copied.
  const rows =
    data && !isSigning ? listConnectParameters(data, location.hostname, formatValue) : undefined
  return (
    <Modal open title={`“${name}”的连接参数`} width={640} footer={null} onCancel={onClose}>
      <Flex vertical gap={12}>
        <Form.Item label="有效期" style={{ margin: 0 }} extra="到期后不能再连接，已连上的不会断开">
          <Radio.Group
            aria-label="有效期"
            optionType="button"
            options={validityOptions}
            value={days}
            onChange={({ target }) => setDays(target.value as number)}
          />
        </Form.Item>
        {error && <LoadErrorAlert why={error.message} hasRows={false} onRetry={refresh} />}
        {!rows && !error && <Skeleton active title={false} paragraph={{ rows: 8 }} />}
        {rows && !error && (
          <>
            <Descriptions
              column={1}
              size="small"
              bordered
              styles={{ label: { width: 96 } }}
              items={rows.map(({ label, value }) => ({
                key: label,
                label,
                children: (
                  <Typography.Text code style={{ wordBreak: 'break-all' }}>
                    {value}
                  </Typography.Text>
                ),
              }))}
            />
            <Typography.Text
              copyable={{
                text: formatConnectParameters(rows),
                icon: ['复制全部', '已复制'],
                tooltips: ['复制全部', '已复制'],
              }}
            />
          </>
        )}
      </Flex>
    </Modal>
  )
}
