import useRequest from 'ahooks/es/useRequest'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import Typography from 'antd/es/typography'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { productApi } from '@iot/shared/contract/product/product.api'
import { unusedAfterDays } from '@iot/shared/contract/product/product'
import type { ThingFunction } from '@iot/shared/contract/thingModel/modelDifference'
import { useFeedback } from '@iot/shared/ui/feedback'
import { PermissionModal } from '@iot/shared/ui/rightModal'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { describeDeviceUses, type FunctionUsage } from './describeDeviceUses'

type DeprecateFunctionDialogProps = {
  productId: string
  thingFunction: ThingFunction
  /** Saves on the latest version of the product; resolves with nothing if the change was refused. */
  onDeprecate: () => Promise<unknown>
  onClose: () => void
}

/** Deprecates a function of a published product after it has shown who uses it. */
export default function DeprecateFunctionDialog({
  productId,
  thingFunction: { identifier, name },
  onDeprecate,
  onClose,
}: DeprecateFunctionDialogProps) {
  const { message } = useFeedback()
  const [isSaving, setSaving] = useState(false)
  const {
    data: usage,
    error,
    refresh,
  } = useRequest(() =>
    call(productApi.functionUsage, { id: productId, identifier }, { inline: true }),
  )
  const deprecate = async () => {
    setSaving(true)
    const savedProduct = await onDeprecate()
    setSaving(false)
    if (!savedProduct) return
    void message.success(`“${name}”已弃用`)
    onClose()
  }
  return (
    <PermissionModal
      open
      to={productApi.saveModel}
      title={`弃用“${name}”？`}
      okText="弃用"
      okButtonProps={{ disabled: usage === undefined }}
      confirmLoading={isSaving}
      onOk={() => void deprecate()}
      onCancel={onClose}
    >
      <Flex vertical gap={12}>
        {error && <LoadErrorAlert why={error.message} hasRows={false} onRetry={refresh} />}
        {usage ? (
          <UsageLines usage={usage} />
        ) : (
          !error && <Skeleton active title={false} paragraph={{ rows: 3 }} />
        )}
      </Flex>
    </PermissionModal>
  )
}

function UsageLines({ usage }: { usage: FunctionUsage }) {
  const { references, requiredBy } = usage
  const users = [
    ...references.map(({ entity, name }) => `${entity}“${name}”`),
    ...requiredBy.map((name) => `控制类型“${name}”`),
  ]
  return (
    <>
      <Typography.Text>{describeDeviceUses(usage)}</Typography.Text>
      <Typography.Text>
        {users.length > 0
          ? `正在使用它，照常有效：${users.join('、')}`
          : '没有场景或告警规则用到它'}
      </Typography.Text>
      <Typography.Text type="secondary">
        {`弃用后平台照常接收和显示它的值，新建场景、告警规则和控制时不再列出，随时可以恢复。${unusedAfterDays} 天没有设备使用后可以移除。`}
      </Typography.Text>
    </>
  )
}
