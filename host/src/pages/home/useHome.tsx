import { App } from 'antd'
import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { newPress } from '@iot/shared/client/call'
import type { SpaceLights } from '@iot/shared/contract/device'
import { getRightForRequest } from '@iot/shared/contract/homeRights'
import type { Asked } from '@iot/shared/control/confirmControl'
import { useCommandRefusal } from '@iot/shared/control/sendCommand'
import { useTasks } from '@iot/shared/control/useTasks'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import type { useBuilding } from '@iot/shared/plan/useBuilding'
import { useStopped } from '@iot/shared/plan/useStopped'
import { isEditModeAtom } from '@iot/shared/session/application'
import { outgoingAtom, outgoingText, type Outgoing } from '@iot/shared/session/outgoing'
import { store } from '@iot/shared/session/store'
import { quietly } from '@iot/shared/ui/batch'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { useRefusal } from '@iot/shared/ui/right'
import { whenIdle } from '../../layout/idle'
import { PartBoundary } from '../../layout/PartBoundary'
import { useProblems } from '../../layout/alerts/useProblems'

const load = async () => {
  const { ConfirmControl } = await import('@iot/shared/control/confirmControl')
  return { default: ConfirmControl }
}
const ConfirmControl = lazyPart(load)

export type BuildingProps = {
  projectId: number
  building: ReturnType<typeof useBuilding>
  tree: SpaceTree
  counts: ReadonlyMap<string, SpaceLights>
  /** Tools render into this element beside the views; without views each screen places the tools itself. */
  bar?: HTMLElement | null
}

/**
 * Returns the state of a project for home and the function that starts control requests; `dialog` is the open
 * confirmation.
 */
export function useHome(
  { projectId, building, tree, counts, bar }: BuildingProps,
  onAnswered?: () => void,
) {
  const { message } = App.useApp()
  const tasks = useTasks(projectId)
  const problems = useProblems(projectId, tasks.ended)
  const stopped = useStopped()
  /** No command may be sent in edit mode. */
  const busy = useAtomValue(isEditModeAtom)
  const [asked, setAsked] = useState<Asked | null>(null)
  /**
   * Starts a request without a dialog. A message shows the progress, because a room on the plan has no space for text.
   */
  async function startAtOnce({ request, spoken, title }: Asked) {
    const key = newPress()
    const say = (state: Outgoing['state']) =>
      void message.open({
        key,
        type: state === 'sending' ? 'loading' : 'warning',
        duration: 0,
        content: `${title}：${outgoingText[state]}`,
      })
    say('sending')
    const end = store.sub(outgoingAtom, () => {
      const state = store.get(outgoingAtom).get(key)?.state
      if (state) say(state)
    })
    await tasks.start(request, spoken, key).finally(() => (end(), message.destroy(key)))
  }
  const refusal = useRefusal()
  const commandRefusal = useCommandRefusal()
  /** Opens the confirmation of a request, or shows the reason if the request is not allowed. */
  const ask = (asked: Asked) => {
    const why = refusal(getRightForRequest(asked.request), commandRefusal)
    if (why) {
      onAnswered?.()
      return void message.warning(why)
    }
    return asked.confirm === 'none' ? void startAtOnce(asked).catch(quietly) : setAsked(asked)
  }
  const close = () => {
    setAsked(null)
    onAnswered?.()
  }
  // The dialog's code loads when idle, so that it delays neither the floor plan nor the first request.
  useEffect(() => void whenIdle(load), [])
  const dialog = (
    <PartBoundary onClose={close}>
      {asked && <ConfirmControl asked={asked} onStart={tasks.start} onClose={close} />}
    </PartBoundary>
  )
  const { modes } = building
  return { projectId, tree, counts, bar, modes, tasks, problems, stopped, busy, ask, dialog }
}
export type Home = ReturnType<typeof useHome>
