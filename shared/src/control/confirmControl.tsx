import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Checkbox from 'antd/es/checkbox'
import Modal from 'antd/es/modal'
import Skeleton from 'antd/es/skeleton'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useId, useRef, useState } from 'react'
import { call, newIdempotencyKey } from '../client/call'
import { approvalApi } from '../contract/control/approval.api'
import type { BulkRequest, ControlRequest, Preflight } from '../contract/control/control.schema'
import { controlApi } from '../contract/control/control.api'
import type { ConfirmLevel } from '../contract/product/productType.schema'
import { approvalsAtom } from '../session/live'
import { inFlightCommandsAtom, inFlightText } from '../session/outgoing'
import { lazyPart } from '../ui/lazyPart'
import { RetryAlert } from '../ui/retryAlert'
import { useTextDraft } from '../ui/useDraft'
import { sendCommand } from './sendCommand'
import { getSwitchVerb, type Announcement } from './result'
import * as styles from './confirmControl.module.css'

const IncludeProtectedField = lazyPart(() => import('./protectedToo'))

export type ControlConfirmation = {
  title: string
  okText: string
  request: ControlRequest
  spoken: Announcement
  /** `strict` requires a tick; actions without confirmation are started by the caller. */
  confirm?: ConfirmLevel
  /** The command starts after this number of minutes; the effect that is shown is that of now. */
  delayMinutes?: number
}
type ConfirmControlProps = {
  asked: ControlConfirmation
  onStart: (
    request: ControlRequest,
    announcement: Announcement,
    idempotencyKey: string,
  ) => Promise<unknown>
  onClose: () => void
}

const countSkipped = ({ held = 0, inactive = 0, ...skipped }: Preflight['skipped']) =>
  held + skipped.protected + skipped.offline + inactive + skipped.disabled

/** Says how many devices a command skips and why: `跳过 8 盏（受保护 5，离线 3）`; empty if it skips none. */
export function formatSkippedDevices({ skipped, unit }: Pick<Preflight, 'skipped' | 'unit'>) {
  const total = countSkipped(skipped)
  const reasons = [
    ['手动保持', skipped.held],
    ['受保护', skipped.protected],
    ['离线', skipped.offline],
    ['未激活', skipped.inactive],
    ['禁用', skipped.disabled],
  ].filter(([, count]) => count)
  return total > 0
    ? `跳过 ${total} ${unit}（${reasons.map((entry) => entry.join(' ')).join('，')}）`
    : ''
}

/** Formats a preflight as `将关闭 310 盏；2 盏已关；跳过 8 盏（受保护 5，离线 3）`. */
export function formatPreflight(
  { affected, already, dark = 0, deprecated = 0, keptPlaces = [], skipped, unit }: Preflight,
  kind: Announcement['kind'],
) {
  const verb = getSwitchVerb(kind)
  const total = countSkipped(skipped)
  const keptCount = keptPlaces.reduce((sum, { devices }) => sum + devices, 0)
  const notes = [
    !verb && dark > 0 && `其中 ${dark} ${unit}关着，不会打开`,
    deprecated > 0 && `含功能已弃用的 ${deprecated} ${unit}，照常执行`,
  ].filter(Boolean)
  const noteText = notes.length > 0 ? `（${notes.join('；')}）` : ''
  const parts = [
    (verb ? `将${verb.full} ${affected - already} ${unit}` : `将控制 ${affected} ${unit}`) +
      noteText,
    verb && already > 0 && `${already} ${unit}已${verb.short}`,
    formatSkippedDevices({ skipped, unit }),
    keptPlaces.length > 0 &&
      `保留 ${keptCount} ${unit}（${keptPlaces.map(({ name, devices }) => `${name} ${devices}`).join('，')}）`,
  ]
  const shownParts = parts.filter(Boolean)
  // Several parts are added up, so that the number can be compared with the result.
  return [...shownParts, shownParts.length > 1 && `共 ${affected + total + keptCount} ${unit}`]
    .filter(Boolean)
    .join('；')
}

/** Names the effect on the button: `关闭 27 盏`. Without a preflight or a change, the button keeps its own text. */
function describeButton(
  preflight: Preflight | undefined,
  kind: Announcement['kind'],
  okText: string,
) {
  const verb = getSwitchVerb(kind)
  const changedCount = preflight && preflight.affected - preflight.already
  return verb && changedCount ? `${verb.full} ${changedCount} ${preflight.unit}` : okText
}

/** Shows the effect of an action before it is sent. */
export function ConfirmControl({
  asked: { title, okText, request, spoken: announcement, confirm, delayMinutes },
  onStart,
  onClose,
}: ConfirmControlProps) {
  const [isTicked, setTicked] = useState(false)
  const [includesProtected, setIncludesProtected] = useState(false)
  const [reason, setReason, close] = useTextDraft(`protectedReason/${title}`, '', onClose)
  /** Ticking the box begins with the reason that was typed before the session ended. */
  const changeProtectedReason = (typedReason: string | undefined) => {
    setIncludesProtected(typedReason !== undefined)
    if (includesProtected && typedReason !== undefined) setReason(typedReason)
  }
  const setApprovals = useSetAtom(approvalsAtom)
  const fullRequest: ControlRequest =
    includesProtected && request.kind !== 'scene' ? { ...request, includeProtected: true } : request
  const { data, error, refresh } = useRequest(
    () => call(controlApi.preflight, fullRequest, { quiet: true }),
    { refreshDeps: [includesProtected] },
  )
  const unit = data?.unit
  // A second press after a missing response must use the same idempotency key.
  const [idempotencyKey] = useState(newIdempotencyKey)
  const requestApproval = async (request: BulkRequest, reason: string) => {
    const approval = await sendCommand(approvalApi.ask, { request, reason })
    setApprovals((previous) => new Map(previous).set(approval.id, approval))
  }
  const { run: start, loading } = useRequest(
    (): Promise<unknown> =>
      includesProtected && request.kind !== 'scene'
        ? requestApproval(request, reason)
        : onStart(request, announcement, idempotencyKey),
    { manual: true, onSuccess: close },
  )

  const commandState = useAtomValue(inFlightCommandsAtom).get(idempotencyKey)?.state
  const dialogBody = useRef<HTMLDivElement>(null)
  const okButtonId = useId()
  const isReady = data !== undefined && data.affected > 0 && (confirm !== 'strict' || isTicked)
  // A dialog focuses its first button, which closes it. Enter must confirm instead, once the preflight is known and not
  // earlier. The focus stays if the user has moved it.
  useEffect(() => dialogBody.current?.focus(), [])
  useEffect(() => {
    if (isReady && document.activeElement === dialogBody.current)
      document.getElementById(okButtonId)?.focus()
  }, [isReady, okButtonId])

  return (
    <Modal
      open
      width={440}
      title={title}
      okText={
        loading
          ? inFlightText.sending
          : includesProtected
            ? '提交申请'
            : delayMinutes
              ? okText
              : describeButton(data, announcement.kind, okText)
      }
      onOk={start}
      onCancel={close}
      confirmLoading={loading}
      okButtonProps={{ id: okButtonId, disabled: !isReady }}
    >
      <div ref={dialogBody} tabIndex={-1} className={styles.question}>
        {error ? (
          <RetryAlert type="error" title={error.message} onRetry={refresh} />
        ) : data ? (
          <p style={{ margin: '4px 0 0', fontSize: 16 }} role="status">
            {data.affected === 0 && `没有可操作的${unit === '盏' ? '灯' : '设备'}：`}
            {formatPreflight(data, announcement.kind)}
          </p>
        ) : (
          <Skeleton active title={false} paragraph={{ rows: 1 }} />
        )}
        {delayMinutes !== undefined && (
          <p style={{ margin: '4px 0 0' }}>
            以上是现在的情况；到点时按当时的设备执行，之前可以取消。
          </p>
        )}
        {data &&
          !delayMinutes &&
          request.kind !== 'scene' &&
          (includesProtected || data.skipped.protected > 0) && (
            <IncludeProtectedField
              what={unit === '盏' ? '灯' : '设备'}
              reason={includesProtected ? reason : undefined}
              onChange={changeProtectedReason}
            />
          )}
        {commandState === 'unknown' && (
          <Alert
            type="warning"
            showIcon
            style={{ marginTop: 12 }}
            title={inFlightText.unknown}
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

/** @deprecated Use {@link ControlConfirmation}; kept for remotes that were built before. */
export type Asked = ControlConfirmation

/** @deprecated Use {@link formatPreflight}; kept for remotes that were built before. */
export const preflightText = formatPreflight
