import Alert from 'antd/es/alert'
import Typography from 'antd/es/typography'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { deprecatedText } from '@iot/shared/contract/thingModel/deprecation'
import { listFunctions } from '@iot/shared/contract/thingModel/modelDifference'
import { productApi } from '@iot/shared/contract/product/product.api'
import type { ProductDetail } from '@iot/shared/contract/product/product.schema'
import { kindText } from '@iot/shared/contract/thingModel/thingText'
import { useFeedback } from '@iot/shared/ui/feedback'
import { CheckedChoiceModal } from '../CheckedChoiceModal'
import { describeDeviceUses, type FunctionUsage } from './describeDeviceUses'

type DropFunctionDialogProps = {
  product: ProductDetail
  /** Saves on the latest version of the product; resolves with nothing if the change was refused. */
  onDrop: (identifier: string) => Promise<unknown>
  onClose: () => void
}

/** Removes a function of a published product that no device uses any more, after it has shown who is affected. */
export default function DropFunctionDialog({ product, onDrop, onClose }: DropFunctionDialogProps) {
  const { message } = useFeedback()
  const [isSaving, setSaving] = useState(false)
  const drop = async (identifier: string, { name }: FunctionUsage) => {
    setSaving(true)
    const savedProduct = await onDrop(identifier)
    setSaving(false)
    if (!savedProduct) return
    void message.success(`“${name}”已移除`)
    onClose()
  }
  return (
    <CheckedChoiceModal<FunctionUsage>
      to={productApi.dropFunction}
      title="移除不再使用的功能"
      label="功能"
      placeholder="请选择功能"
      selectProps={{
        options: listFunctions(product.model).map((thingFunction) => ({
          value: thingFunction.identifier,
          label: `${thingFunction.name} ${thingFunction.identifier}（${kindText[thingFunction.kind]}${thingFunction.isDeprecated ? `，${deprecatedText}` : ''}）`,
        })),
      }}
      runCheck={(identifier) =>
        call(productApi.functionUsage, { id: product.id, identifier }, { inline: true })
      }
      renderCheck={(usage) => <UsageLines usage={usage} />}
      isAllowed={({ refusal }) => refusal === null}
      formatOkText={() => '移除'}
      isDanger
      isSaving={isSaving}
      onSubmit={(identifier, usage) => void drop(identifier, usage)}
      onClose={onClose}
    />
  )
}

function UsageLines({ usage }: { usage: FunctionUsage }) {
  const { refusal } = usage
  return (
    <>
      <Typography.Text>{describeDeviceUses(usage)}</Typography.Text>
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
