import Alert from 'antd/es/alert'
import Flex from 'antd/es/flex'
import Typography from 'antd/es/typography'
import type { DeviceSecret } from '@iot/shared/contract/device/managedDevice.schema'
import type { ProductSecret } from '@iot/shared/contract/device/registration.schema'
import { useFeedback } from '@iot/shared/ui/feedback'

const secretLabels = {
  productKey: 'ProductKey',
  deviceName: 'DeviceName',
  deviceSecret: 'DeviceSecret',
  productSecret: 'ProductSecret',
}

/** Shows the one-time secret of a device or product. */
export function useSecretDialog() {
  const { modal } = useFeedback()
  return (title: string, secret: DeviceSecret | ProductSecret) =>
    modal.success({
      title,
      width: 560,
      okText: '已保存好',
      content: (
        <Flex vertical gap={12}>
          <Alert
            type="warning"
            showIcon
            title={`${'deviceSecret' in secret ? secretLabels.deviceSecret : secretLabels.productSecret} 只显示这一次，请现在复制保存`}
          />
          {Object.entries(secretLabels).map(
            ([key, label]) =>
              key in secret && (
                <Flex key={key} gap={12}>
                  <Typography.Text type="secondary" style={{ width: 104 }}>
                    {label}
                  </Typography.Text>
                  <Typography.Text code copyable>
                    {secret[key as keyof typeof secret]}
                  </Typography.Text>
                </Flex>
              ),
          )}
        </Flex>
      ),
    })
}
