import { useRequest } from 'ahooks'
import { Alert, Flex, Form, Select, Skeleton, Typography } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { Output } from '@iot/shared/contract/endpoint'
import { listFunctions } from '@iot/shared/contract/thingModel/modelDifference'
import { productApi } from '@iot/shared/contract/product/product.api'
import type { ProductDetail } from '@iot/shared/contract/product/product.schema'
import { kindText } from '@iot/shared/contract/thingModel/thingText'
import { formatValue } from '@iot/shared/ui/field'
import { useFeedback } from '@iot/shared/ui/feedback'
import { PermissionModal } from '@iot/shared/ui/rightModal'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'

type DropFunctionDialogProps = {
  product: ProductDetail
  /** Saves on the latest version of the product; resolves with nothing if the change was refused. */
  onDrop: (identifier: string) => Promise<unknown>
  onClose: () => void
}

/** Removes a function of a published product that no device uses any more, after it has shown who is affected. */
export default function DropFunctionDialog({ product, onDrop, onClose }: DropFunctionDialogProps) {
  const { message } = useFeedback()
  const [identifier, setIdentifier] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const {
    data,
    error,
    loading: isChecking,
    refresh,
  } = useRequest(
    () =>
      call(productApi.functionUsage, { id: product.id, identifier: identifier! }, { inline: true }),
    { ready: !!identifier, refreshDeps: [identifier] },
  )
  // Until the check of another function is there, that of the former one must not stand beside it.
  const usage = identifier && !error && !isChecking ? data : undefined
  const drop = async () => {
    setSaving(true)
    const savedProduct = await onDrop(identifier!)
    setSaving(false)
    if (!savedProduct) return
    void message.success(`“${usage!.name}”已移除`)
    onClose()
  }
  return (
    <PermissionModal
      open
      to={productApi.dropFunction}
      title="移除不再使用的功能"
      okText="移除"
      okButtonProps={{ danger: true, disabled: !usage || usage.refusal !== null }}
      confirmLoading={isSaving}
      onOk={() => void drop()}
      onCancel={onClose}
    >
      <Flex vertical gap={12}>
        <Form.Item label="功能" htmlFor="drop-function" style={{ margin: 0 }}>
          <Select
            id="drop-function"
            placeholder="请选择功能"
            showSearch={{ optionFilterProp: 'label' }}
            value={identifier}
            onChange={setIdentifier}
            options={listFunctions(product.model).map((thingFunction) => ({
              value: thingFunction.identifier,
              label: `${thingFunction.name} ${thingFunction.identifier}（${kindText[thingFunction.kind]}）`,
            }))}
          />
        </Form.Item>
        {error && identifier && (
          <LoadErrorAlert why={error.message} hasRows={false} onRetry={refresh} />
        )}
        {identifier && !usage && !error && (
          <Skeleton active title={false} paragraph={{ rows: 2 }} />
        )}
        {usage && <UsageLines usage={usage} />}
      </Flex>
    </PermissionModal>
  )
}

function UsageLines({ usage }: { usage: Output<typeof productApi.functionUsage> }) {
  const { lastTime, deviceCount, devices, refusal } = usage
  return (
    <>
      <Typography.Text>
        {lastTime
          ? `用过它的设备 ${deviceCount} 台（${devices.join('、')}${deviceCount > devices.length ? ' 等' : ''}），最近一次 ${formatValue(lastTime)}`
          : '没有设备用过它'}
      </Typography.Text>
      {refusal ? (
        <Alert type="warning" showIcon title={`不能移除：${refusal}`} />
      ) : (
        <Typography.Text type="secondary">
          移除后平台不再接收它，历史数据保留；需要时可以再添加。
        </Typography.Text>
      )}
    </>
  )
}
