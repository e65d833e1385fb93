import { useRequest } from 'ahooks'
import { Alert, Button, Checkbox, Modal, Skeleton } from 'antd'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useId, useRef, useState } from 'react'
import { call, newPress } from '../client/call'
import { approvalApi } from '../contract/approval'
import {
  controlApi,
  type BulkRequest,
  type ControlRequest,
  type Preflight,
} from '../contract/control'
import type { ConfirmLevel } from '../contract/productType'
import { approvalsAtom } from '../session/live'
import { outgoingAtom, outgoingText } from '../session/outgoing'
import { lazyPart } from '../ui/lazyPart'
import { sendCommand } from './sendCommand'
import { unitOf, verbOf, type Spoken } from './result'
import * as styles from './confirmControl.module.css'

const ProtectedToo = lazyPart(() => import('./protectedToo'))

export type Asked = {
  title: string
  okText: string
  request: ControlRequest
  spoken: Spoken
  /** `strict` requires a tick; actions without confirmation are started by the caller. */
  confirm?: ConfirmLevel
}
type ConfirmControlProps = {
  asked: Asked
  onStart: (request: ControlRequest, spoken: Spoken, press: string) => Promise<unknown>
  onClose: () => void
}

/** Formats a preflight as `将关闭 310 盏；2 盏已关；跳过 8 盏（受保护 5，离线 3）`. */
export function preflightText({ affected, already, skipped }: Preflight, kind: Spoken['kind']) {
  const unit = unitOf(kind)
  const verb = verbOf(kind)
  const reasons = [
    ['受保护', skipped.protected],
    ['离线', skipped.offline],
    ['禁用', skipped.disabled],
  ].filter(([, count]) => count)
  const total = skipped.protected + skipped.offline + skipped.disabled
  const parts = [
    verb ? `将${verb.full} ${affected - already} ${unit}` : `将影响 ${affected} ${unit}`,
    verb && already > 0 && `${already} ${unit}已${verb.short}`,
    total > 0 && `跳过 ${total} ${unit}（${reasons.map((one) => one.join(' ')).join('，')}）`,
  ]
  return parts.filter(Boolean).join('；')
}

/** Shows the effect of an action before it is sent. */
export function ConfirmControl({
  asked: { title, okText, request, spoken, confirm },
  onStart,
  onClose,
}: ConfirmControlProps) {
  const [isTicked, setTicked] = useState(false)
  const unit = unitOf(spoken.kind)
  /** Reason for including protected circuits; undefined while they are excluded. */
  const [reason, setReason] = useState<string>()
  const isWhole = reason !== undefined
  const setApprovals = useSetAtom(approvalsAtom)
  const whole: ControlRequest =
    isWhole && request.kind !== 'scene' ? { ...request, includeProtected: true } : request
  const { data, error, refresh } = useRequest(
    () => call(controlApi.preflight, whole, { quiet: true }),
    { refreshDeps: [isWhole] },
  )
  // A second press after a missing response must use the same idempotency key.
  const [press] = useState(newPress)
  const askFor = async (request: BulkRequest, reason: string) => {
    const asked = await sendCommand(approvalApi.ask, { request, reason })
    setApprovals((before) => new Map(before).set(asked.id, asked))
  }
  const { run: start, loading } = useRequest(
    (): Promise<unknown> =>
      isWhole && request.kind !== 'scene'
        ? askFor(request, reason)
        : onStart(request, spoken, press),
    { manual: true, onSuccess: onClose },
  )

  const outgoing = useAtomValue(outgoingAtom).get(press)?.state
  const box = useRef<HTMLDivElement>(null)
  const ok = useId()
  const isReady = data !== undefined && data.affected > 0 && (confirm !== 'strict' || isTicked)
  // A dialog focuses its first button, which closes it. Enter must confirm instead, once the preflight is known and not
  // earlier. The focus stays if the user has moved it.
  useEffect(() => box.current?.focus(), [])
  useEffect(() => {
    if (isReady && document.activeElement === box.current) document.getElementById(ok)?.focus()
  }, [isReady, ok])

  return (
    <Modal
      open
      width={440}
      title={title}
      okText={loading ? outgoingText.sending : isWhole ? '申请同意' : okText}
      onOk={start}
      onCancel={onClose}
      confirmLoading={loading}
      okButtonProps={{ id: ok, disabled: !isReady }}
    >
      <div ref={box} tabIndex={-1} className={styles.question}>
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
          <p style={{ margin: '4px 0 0', fontSize: 16 }} role="status">
            {data.affected === 0 && `没有可操作的${unit === '盏' ? '灯' : '设备'}：`}
            {preflightText(data, spoken.kind)}
          </p>
        ) : (
          <Skeleton active title={false} paragraph={{ rows: 1 }} />
        )}
        {data && request.kind !== 'scene' && (isWhole || data.skipped.protected > 0) && (
          <ProtectedToo what={unit === '盏' ? '灯' : '设备'} reason={reason} onChange={setReason} />
        )}
        {outgoing === 'unknown' && (
          <Alert
            type="warning"
            showIcon
            style={{ marginTop: 12 }}
            title={outgoingText.unknown}
            description="连接恢复后显示结果，关闭窗口不会取消。"
          />
        )}
        {confirm === 'strict' && (
          <Checkbox
            checked={isTicked}
            onChange={({ target }) => setTicked(target.checked)}
            style={{ marginTop: 12 }}
          >
            已确认现场可以执行
          </Checkbox>
        )}
      </div>
    </Modal>
  )
}
