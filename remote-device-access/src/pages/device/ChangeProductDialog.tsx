import { useRequest } from 'ahooks'
import { Alert, Flex, Form, Select, Skeleton, Typography } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { Output } from '@iot/shared/contract/endpoint'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { productApi } from '@iot/shared/contract/product/product.api'
import { PermissionModal } from '@iot/shared/ui/rightModal'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { buildSelectProps, usePickerOptions } from '@iot/shared/ui/useListed'

type ChangeProductDialogProps = {
  subject: string
  ids: string[]
  onChange: (productId: string) => void
  onClose: () => void
}

/** The dialog lists at most this many devices and counts the rest; the result names every device. */
const maxLines = 5

/** Makes devices those of another product, after it has shown what that means for each. */
export default function ChangeProductDialog({
  subject,
  ids,
  onChange,
  onClose,
}: ChangeProductDialogProps) {
  const [productId, setProductId] = useState<string>()
  const { data: products } = usePickerOptions(productApi.list)
  const {
    data,
    error,
    loading: isChecking,
    refresh,
  } = useRequest(
    () =>
      call(managedDeviceApi.changeProductCheck, { ids, productId: productId! }, { inline: true }),
    { ready: !!productId, refreshDeps: [productId] },
  )
  // Until the check of another product is there, that of the former one must not stand beside it.
  const check = productId && !error && !isChecking ? data : undefined
  const movableCount = check?.devices.filter(({ refusal }) => refusal === null).length ?? 0
  const options = products
    ?.filter(({ status }) => status === 'published')
    .map(({ id, name, modelNo }) => ({
      value: id,
      label: modelNo ? `${name}（${modelNo}）` : name,
    }))
  return (
    <PermissionModal
      open
      to={managedDeviceApi.changeProduct}
      title={`更换${subject}的产品`}
      okText={check ? `更换 ${movableCount} 台` : '更换'}
      okButtonProps={{ disabled: movableCount === 0 }}
      onOk={() => {
        onClose()
        onChange(productId!)
      }}
      onCancel={onClose}
    >
      <Flex vertical gap={12}>
        <Form.Item label="新产品" htmlFor="change-product" style={{ margin: 0 }}>
          <Select
            id="change-product"
            placeholder="请选择已发布的产品"
            showSearch={{ optionFilterProp: 'label' }}
            {...buildSelectProps(options)}
            value={productId}
            onChange={setProductId}
          />
        </Form.Item>
        {error && productId && (
          <LoadErrorAlert why={error.message} hasRows={false} onRetry={refresh} />
        )}
        {productId && !check && !error && <Skeleton active title={false} paragraph={{ rows: 3 }} />}
        {check && <CheckResult check={check} movableCount={movableCount} />}
      </Flex>
    </PermissionModal>
  )
}

type CheckResultProps = {
  check: Output<typeof managedDeviceApi.changeProductCheck>
  movableCount: number
}

function CheckResult({ check, movableCount }: CheckResultProps) {
  const { devices, scenes, groups, productKey } = check
  const refusedLines = devices.flatMap(({ name, refusal }) =>
    refusal === null ? [] : [`${name}：${refusal}`],
  )
  const lackingProperties = [...new Set(devices.flatMap(({ lacking }) => lacking))]
  return (
    <>
      {refusedLines.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={`${refusedLines.length} 台不能更换`}
          description={<LineList lines={refusedLines} />}
        />
      )}
      {movableCount > 0 && (
        <Flex vertical gap={4}>
          <Typography.Text>
            设备会断开，要把 ProductKey 改为{' '}
            <Typography.Text code copyable>
              {productKey}
            </Typography.Text>{' '}
            才能再连上；DeviceName 和密钥不变，历史数据保留。
          </Typography.Text>
          {lackingProperties.length > 0 && (
            <Typography.Text>
              新产品没有这些属性，现在的值会清除：{lackingProperties.join('、')}
            </Typography.Text>
          )}
          {scenes.length > 0 && (
            <Typography.Text>请检查用到这些设备的场景：{scenes.join('、')}</Typography.Text>
          )}
          {groups.length > 0 && (
            <Typography.Text>按产品选设备的设备组会变：{groups.join('、')}</Typography.Text>
          )}
        </Flex>
      )}
    </>
  )
}

const LineList = ({ lines }: { lines: string[] }) => (
  <>
    {lines.slice(0, maxLines).map((line) => (
      <div key={line}>{line}</div>
    ))}
    {lines.length > maxLines && <div>还有 {lines.length - maxLines} 台</div>}
  </>
)
