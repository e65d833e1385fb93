import Alert from 'antd/es/alert'
import Flex from 'antd/es/flex'
import Typography from 'antd/es/typography'
import { call } from '@iot/shared/client/call'
import type { Output } from '@iot/shared/contract/endpoint'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { productApi } from '@iot/shared/contract/product/product.api'
import { buildSelectProps, usePickerOptions } from '@iot/shared/ui/useListed'
import { CheckedChoiceModal } from '../CheckedChoiceModal'

type ProductCheck = Awaited<Output<typeof managedDeviceApi.changeProductCheck>>
type ChangeProductDialogProps = {
  subject: string
  ids: string[]
  onChange: (productId: string) => void
  onClose: () => void
}

/** The dialog lists at most this many devices and counts the rest; the result names every device. */
const maxLines = 5

const countMovable = ({ devices }: ProductCheck) =>
  devices.filter(({ refusal }) => refusal === null).length

/** Makes devices those of another product, after it has shown what that means for each. */
export default function ChangeProductDialog({
  subject,
  ids,
  onChange,
  onClose,
}: ChangeProductDialogProps) {
  const { data: products } = usePickerOptions(productApi.list)
  const options = products
    ?.filter(({ status }) => status === 'published')
    .map(({ id, name, modelNo }) => ({
      value: id,
      label: modelNo ? `${name}（${modelNo}）` : name,
    }))
  return (
    <CheckedChoiceModal<ProductCheck>
      to={managedDeviceApi.changeProduct}
      title={`更换${subject}的产品`}
      label="新产品"
      placeholder="请选择已发布的产品"
      selectProps={buildSelectProps(options)}
      runCheck={(productId) =>
        call(managedDeviceApi.changeProductCheck, { ids, productId }, { inline: true })
      }
      renderCheck={(check) => <CheckResult check={check} />}
      isAllowed={(check) => countMovable(check) > 0}
      formatOkText={(check) => (check ? `更换 ${countMovable(check)} 台` : '更换')}
      onSubmit={(productId) => {
        onClose()
        onChange(productId)
      }}
      onClose={onClose}
    />
  )
}

function CheckResult({ check }: { check: ProductCheck }) {
  const { devices, scenes, groups, alarmRules, productKey } = check
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
      {countMovable(check) > 0 && (
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
          {alarmRules.length > 0 && (
            <Typography.Text>
              原产品的告警规则不再包含这些设备：{alarmRules.join('、')}
            </Typography.Text>
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
