import useInterval from 'ahooks/es/useInterval'
import useRequest from 'ahooks/es/useRequest'
import { useAtom, useAtomValue } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { Approval } from '@iot/shared/contract/control/approval.schema'
import { approvalApi } from '@iot/shared/contract/control/approval.api'
import { useCan } from '@iot/shared/session/can'
import { approvalsAtom, liveStatusAtom } from '@iot/shared/session/live'
import { userInfoAtom } from '@iot/shared/session/user'

const pollWhenDownMs = 5000

/**
 * Returns the approvals that wait for this user and the answered requests of this user. They are read when the live
 * channel connects or drops, and then updated by its events.
 */
export function useApprovals() {
  const can = useCan()
  const username = useAtomValue(userInfoAtom)?.username
  const [live, setLive] = useAtom(approvalsAtom)
  const status = useAtomValue(liveStatusAtom)
  const [dismissedIds, setDismissedIds] = useState<ReadonlySet<string>>(new Set())
  const canAnswer = can(approvalApi.answer)
  const { data, refresh } = useRequest(() => call(approvalApi.recent, {}, { quiet: true }), {
    ready: canAnswer && (status === 'ready' || status === 'down'),
    refreshDeps: [status],
  })
  useInterval(() => canAnswer && refresh(), status === 'down' ? pollWhenDownMs : undefined)

  const approvalsById = new Map(live)
  for (const approval of data ?? []) {
    // Answers and events can overtake each other, so a finished approval never returns to waiting.
    if ((approvalsById.get(approval.id)?.status ?? 'waiting') === 'waiting')
      approvalsById.set(approval.id, approval)
  }
  const visibleApprovals = [...approvalsById.values()].filter(
    ({ id, status, createBy }) =>
      !dismissedIds.has(id) &&
      (createBy === username ? status !== 'withdrawn' : status === 'waiting'),
  )
  return {
    shown: visibleApprovals,
    me: username,
    take: (approval: Approval) =>
      setLive((previous) => new Map(previous).set(approval.id, approval)),
    dismiss: (id: string) => setDismissedIds((previous) => new Set(previous).add(id)),
  }
}
export type Approvals = ReturnType<typeof useApprovals>
