import useInterval from 'ahooks/es/useInterval'
import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { Approval } from '@iot/shared/contract/control/approval.schema'
import { approvalApi } from '@iot/shared/contract/control/approval.api'
import { useCommandRefusalReason } from '@iot/shared/control/sendCommand'
import { useCommand } from '@iot/shared/control/useCommand'
import { inFlightText } from '@iot/shared/session/outgoing'
import { buttonSettingAtom } from '@iot/shared/session/application'
import { useFeedback } from '@iot/shared/ui/feedback'
import { DisabledWithReason } from '@iot/shared/ui/right'
import { speak } from '@iot/shared/ui/voice'
import type { Approvals } from './useApprovals'
import * as styles from './approvals.module.css'

/** A new card ignores clicks for this time in ms, so that it cannot take a click meant for what was below it. */
const clickGuardMs = 700

/** Shows approval cards above everything, dialogs included, in the corner where they cover least. */
export default function ApprovalCards({ approvals }: { approvals: Approvals }) {
  const { shown: visibleApprovals, me } = approvals
  return (
    <aside className={styles.cards} aria-label="控制申请">
      {visibleApprovals.map((visibleApproval) => (
        <ApprovalCard
          key={visibleApproval.id}
          approval={visibleApproval}
          isMine={visibleApproval.createBy === me}
          {...approvals}
        />
      ))}
    </aside>
  )
}

type CardProps = Pick<Approvals, 'take' | 'dismiss'> & { approval: Approval; isMine: boolean }

function ApprovalCard({ approval, isMine, take, dismiss }: CardProps) {
  const {
    id,
    title,
    projectName,
    affected,
    protected: count,
    reason,
    unit,
    createByName,
  } = approval
  const { message } = useFeedback()
  const refusal = useCommandRefusalReason()
  const { openVoice } = useAtomValue(buttonSettingAtom)
  const [expiryMs] = useState(() => Date.now() + approval.secondsLeft * 1000)
  const [remainingSeconds, setRemainingSeconds] = useState(approval.secondsLeft)
  const { state, send } = useCommand()
  const [isClickable, setClickable] = useState(false)
  useInterval(
    () => setRemainingSeconds(Math.max(0, Math.ceil((expiryMs - Date.now()) / 1000))),
    1000,
  )
  useEffect(() => {
    const timer = setTimeout(() => setClickable(true), clickGuardMs)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (openVoice && !isMine) speak(`${createByName}申请控制受保护回路：${title}`)
  }, [openVoice, isMine, createByName, title])
  const status =
    approval.status === 'waiting' && remainingSeconds === 0 ? 'expired' : approval.status
  useEffect(() => {
    if (!isMine && status === 'expired') dismiss(id)
  }, [isMine, status, dismiss, id])

  const { run, loading } = useRequest(
    (sendRequest: () => Promise<Approval>) => sendRequest().then(take),
    {
      manual: true,
      onError: () => {},
    },
  )
  const answer = (isApproved: boolean) =>
    run(async () => {
      const updatedApproval = await send(
        approvalApi.answer,
        { id, agree: isApproved },
        { isAllowedInEditMode: !isApproved },
      )
      void message.info(isApproved ? `已同意：${title}` : `已拒绝：${title}`)
      return updatedApproval
    })
  const withdraw = () => run(() => call(approvalApi.withdraw, { id }))

  return (
    <article className={styles.card} aria-label={title}>
      <div role="alert" className={styles.head}>
        {isMine ? describeStatus(approval, status) : `${createByName} 申请控制受保护回路`}
      </div>
      <div>{title}</div>
      <div className={styles.more}>
        {projectName} · 共 {affected} {unit}，其中受保护 {count} {unit}
      </div>
      {reason && <div className={styles.more}>原因：{reason}</div>}
      {state && (
        <div role="status" className={styles.more}>
          {inFlightText[state]}
        </div>
      )}
      <Flex gap={8} justify="end" align="center">
        {status === 'waiting' && (
          <span className={styles.left} role="timer">
            还剩 {Math.floor(remainingSeconds / 60)}:
            {String(remainingSeconds % 60).padStart(2, '0')}
          </span>
        )}
        {!isMine && (
          <>
            <Button size="small" disabled={!isClickable || loading} onClick={() => answer(false)}>
              拒绝
            </Button>
            <DisabledWithReason why={refusal}>
              <Button
                size="small"
                type="primary"
                disabled={!isClickable}
                loading={loading}
                onClick={() => answer(true)}
              >
                同意
              </Button>
            </DisabledWithReason>
          </>
        )}
        {isMine &&
          (status === 'waiting' ? (
            <Button size="small" loading={loading} onClick={withdraw}>
              撤回
            </Button>
          ) : (
            <Button size="small" onClick={() => dismiss(id)}>
              知道了
            </Button>
          ))}
      </Flex>
    </article>
  )
}

/** Describes the state of the user's own request. */
function describeStatus({ answerByName }: Approval, status: Approval['status']) {
  if (status === 'approved') return `${answerByName} 已同意，任务已开始`
  if (status === 'void') return '您已没有批量控制的权限，申请作废，没有执行'
  if (status === 'refused') return `${answerByName} 已拒绝，没有执行`
  return status === 'expired' ? '2 分钟内没有人答复，没有执行' : '等待同事同意'
}
