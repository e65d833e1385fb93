import CheckCircleOutlined from '@ant-design/icons/CheckCircleOutlined'
import CloseCircleOutlined from '@ant-design/icons/CloseCircleOutlined'
import ExclamationCircleOutlined from '@ant-design/icons/ExclamationCircleOutlined'
import useRequest from 'ahooks/es/useRequest'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import Typography from 'antd/es/typography'
import type { ReactNode } from 'react'
import { call } from '@iot/shared/client/call'
import { findDeviations } from '@iot/shared/contract/product/conformance'
import type { Output } from '@iot/shared/contract/endpoint'
import { productApi } from '@iot/shared/contract/product/product.api'
import type { ProductDetail } from '@iot/shared/contract/product/product.schema'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'

type Check = Output<typeof productApi.publishCheck>
type PublishCheckProps = { productId: string; consequence: string }

/** Longer lists are cut, because the functions tab shows them whole. */
const maxNames = 8

/** Shows before publishing how the model agrees with its category and with what devices post. */
export function PublishCheck({ productId, consequence }: PublishCheckProps) {
  const { data, error, refresh } = useRequest(async () => ({
    check: await call(productApi.publishCheck, { id: productId }, { inline: true }),
    product: await call(productApi.get, { id: productId }, { inline: true }),
  }))
  return (
    <Flex vertical gap={12}>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {data && <CheckLines {...data} />}
      <Typography.Text type="secondary">{consequence}</Typography.Text>
    </Flex>
  )
}

function CheckLines({ check, product }: { check: Check; product: ProductDetail }) {
  const { model, followed, categoryName } = product
  const deviations = followed ? findDeviations(model, followed, false) : []
  return (
    <Flex vertical gap={8}>
      <CheckLine
        state="ok"
        text={`属性 ${model.properties.length} 项，服务 ${model.services.length} 项，事件 ${model.events.length} 项`}
      />
      {check.missing.map((reason) => (
        <CheckLine key={reason} state="failed" text={reason} />
      ))}
      {followed && (
        <CheckLine
          state={deviations.length > 0 ? 'warning' : 'ok'}
          text={
            deviations.length > 0
              ? `与品类“${categoryName}”不一致 ${deviations.length} 处：${joinNames(deviations.map(({ identifier, problem }) => `${identifier} ${problem}`))}`
              : `符合品类“${categoryName}”的标准功能`
          }
        />
      )}
      <DeviceLines check={check} />
    </Flex>
  )
}

function DeviceLines({
  check: { dropped, silent, deviceCount, reportingCount },
}: {
  check: Check
}) {
  if (reportingCount === 0 && dropped.length === 0)
    return (
      <CheckLine
        state="ok"
        text={deviceCount > 0 ? `${deviceCount} 台设备都还没有上报` : '还没有设备'}
      />
    )
  return (
    <>
      {dropped.length === 0 && (
        <CheckLine state="ok" text={`${reportingCount} 台设备的上报都能接收`} />
      )}
      {dropped.map(({ identifier, reason, deviceCount: count, devices }) => (
        <CheckLine
          key={`${identifier} ${reason}`}
          state="warning"
          text={`上报的 ${identifier} 没有采用：${reason}（${devices.join('、')}${count > devices.length ? ` 等 ${count} 台` : ''}）`}
        />
      ))}
      {silent.length > 0 && (
        <CheckLine
          state="warning"
          text={`没有设备上报过：${joinNames(silent.map(({ name }) => name))}`}
        />
      )}
    </>
  )
}

const joinNames = (names: string[]) =>
  names.length > maxNames
    ? `${names.slice(0, maxNames).join('、')} 等 ${names.length} 项`
    : names.join('、')

const icons: Record<'ok' | 'warning' | 'failed', ReactNode> = {
  ok: <CheckCircleOutlined style={{ color: 'var(--ant-color-success)' }} />,
  warning: <ExclamationCircleOutlined style={{ color: 'var(--ant-color-warning)' }} />,
  failed: <CloseCircleOutlined style={{ color: 'var(--ant-color-error)' }} />,
}

const CheckLine = ({ state, text }: { state: keyof typeof icons; text: string }) => (
  <Flex gap={8} align="baseline">
    {icons[state]}
    <span>{text}</span>
  </Flex>
)
