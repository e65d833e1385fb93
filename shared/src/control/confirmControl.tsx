import { useRequest } from 'ahooks'
import { Alert, Button, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { call, newPress } from '../client/call'
import { controlApi, type ControlRequest, type Preflight } from '../contract/control'
import type { Spoken } from './result'

export type Asked = { title: string; okText: string; request: ControlRequest; spoken: Spoken }
type ConfirmControlProps = {
  asked: Asked
  onStart: (request: ControlRequest, spoken: Spoken, press: string) => Promise<unknown>
  onClose: () => void
}

/** `将影响 312 盏，跳过 8（受保护 5，离线 3）` */
export function preflightText({ affected, skipped }: Preflight) {
  const reasons = [
    ['受保护', skipped.protected],
    ['离线', skipped.offline],
    ['禁用', skipped.disabled],
  ].filter(([, count]) => count)
  const total = skipped.protected + skipped.offline + skipped.disabled
  return `将影响 ${affected} 盏${total ? `，跳过 ${total}（${reasons.map((one) => one.join(' ')).join('，')}）` : ''}`
}

/** Says what an action will do before it does it. */
export function ConfirmControl({
  asked: { title, okText, request, spoken },
  onStart,
  onClose,
}: ConfirmControlProps) {
  const { data, error, refresh } = useRequest(() =>
    call(controlApi.preflight, request, { quiet: true }),
  )
  // Whoever presses again because no answer came means the same.
  const [press] = useState(newPress)
  const { run: start, loading } = useRequest(() => onStart(request, spoken, press), {
    manual: true,
    onSuccess: onClose,
  })

  return (
    <Modal
      open
      width={440}
      title={title}
      okText={okText}
      onOk={start}
      onCancel={onClose}
      confirmLoading={loading}
      okButtonProps={{ disabled: !data || data.affected === 0, autoFocus: true }}
    >
      {error ? (
        <Alert
          type="error"
          showIcon
          title={error.message}
          action={
            <Button size="small" onClick={refresh}>
              重试
            </Button>
          }
        />
      ) : data ? (
        <p style={{ margin: '4px 0 0', fontSize: 15 }} role="status">
          {data.affected === 0 ? `没有可操作的灯：${preflightText(data)}` : preflightText(data)}
        </p>
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 1 }} />
      )}
    </Modal>
  )
}
