import { Alert, App, Descriptions, Flex, Typography } from 'antd'
import type { DeviceSecret } from '@iot/shared/contract/managedDevice'

/** Shows what a device connects with, this once. */
export function useTellSecret() {
  const { modal } = App.useApp()
  return (title: string, { productKey, deviceName, deviceSecret }: DeviceSecret) =>
    modal.success({
      title,
      width: 560,
      okText: '已保存好',
      content: (
        <Flex vertical gap={12}>
          <Alert type="warning" showIcon title="DeviceSecret 只显示这一次，请现在复制保存" />
          <Descriptions
            column={1}
            items={Object.entries({ productKey, deviceName, deviceSecret }).map(([key, text]) => ({
              key,
              label: key[0]!.toUpperCase() + key.slice(1),
              children: (
                <Typography.Text code copyable>
                  {text}
                </Typography.Text>
              ),
            }))}
          />
        </Flex>
      ),
    })
}
