import { useInterval, useRequest } from 'ahooks'
import { useAtom, useAtomValue } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { approvalApi, type Approval } from '@iot/shared/contract/approval'
import { useCan } from '@iot/shared/session/can'
import { approvalsAtom, liveStatusAtom } from '@iot/shared/session/live'
import { userInfoAtom } from '@iot/shared/session/user'

const again = 5000

/**
 * Returns the approvals that wait for this user and the answered requests of this user. They are read when the live
 * channel connects or drops, and then updated by its events.
 */
export function useApprovals() {
  const can = useCan()
  const me = useAtomValue(userInfoAtom)?.username
  const [live, setLive] = useAtom(approvalsAtom)
  const status = useAtomValue(liveStatusAtom)
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const mayAnswer = can(approvalApi.answer)
  const { data, refresh } = useRequest(() => call(approvalApi.recent, {}, { quiet: true }), {
    ready: mayAnswer && (status === 'ready' || status === 'down'),
    refreshDeps: [status],
  })
  useInterval(() => mayAnswer && refresh(), status === 'down' ? again : undefined)

  const all = new Map(live)
  for (const one of data ?? []) {
    // Answers and events can overtake each other, so a finished approval never returns to waiting.
    if ((all.get(one.id)?.status ?? 'waiting') === 'waiting') all.set(one.id, one)
  }
  const shown = [...all.values()].filter(
    ({ id, status, createBy }) =>
      !seen.has(id) && (createBy === me ? status !== 'withdrawn' : status === 'waiting'),
  )
  return {
    shown,
    me,
    take: (one: Approval) => setLive((before) => new Map(before).set(one.id, one)),
    dismiss: (id: string) => setSeen((before) => new Set(before).add(id)),
  }
}
export type Approvals = ReturnType<typeof useApprovals>
