import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { newIdempotencyKey } from '@iot/shared/client/call'
import type { ControlRequest } from '@iot/shared/contract/control/control.schema'
import type { SpaceLights } from '@iot/shared/contract/device/device.schema'
import { getRequiredPermission } from '@iot/shared/contract/device/devicePermissions'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import { useCommandRefusalReason } from '@iot/shared/control/sendCommand'
import { useManualOverrides } from '@iot/shared/control/useManualOverrides'
import { useInFlightState } from '@iot/shared/control/useOutgoing'
import { useControlTasks } from '@iot/shared/control/useTasks'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import type { useBuilding } from '@iot/shared/plan/useBuilding'
import { useStaleSince } from '@iot/shared/plan/useStopped'
import { isEditModeAtom } from '@iot/shared/session/application'
import {
  inFlightCommandsAtom,
  inFlightText,
  type InFlightCommand,
} from '@iot/shared/session/outgoing'
import { store } from '@iot/shared/session/store'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { useRefusalReason } from '@iot/shared/ui/right'
import { whenIdle } from '../../layout/idle'
import { useDelayedControls } from './useDelayedControls'
import { useProblems } from './useProblems'

const loadConfirmControl = async () => {
  const { ConfirmControl } = await import('@iot/shared/control/confirmControl')
  return { default: ConfirmControl }
}
const ConfirmControl = lazyDialog(loadConfirmControl)

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
  const { message } = useFeedback()
  const tasks = useControlTasks(projectId)
  const problems = useProblems(projectId, tasks.ended)
  const { overrides } = useManualOverrides(projectId)
  const staleSince = useStaleSince()
  /** No command may be sent in edit mode. */
  const isBusy = useAtomValue(isEditModeAtom)
  const getInFlightState = useInFlightState()
  const [pendingAction, setPendingAction] = useState<ControlConfirmation | null>(null)
  /**
   * Starts a request without a dialog. A message shows the progress, because a room on the plan has no space for text.
   */
  async function startWithoutDialog({
    request,
    spoken: outgoingLabel,
    title,
  }: ControlConfirmation) {
    // A double press is one command.
    if (getInFlightState(outgoingLabel)) return
    const key = newIdempotencyKey()
    const showState = (state: InFlightCommand['state']) =>
      void message.open({
        key,
        type: state === 'sending' ? 'loading' : 'warning',
        duration: 0,
        content: `${title}：${inFlightText[state]}`,
      })
    showState('sending')
    const unsubscribe = store.sub(inFlightCommandsAtom, () => {
      const state = store.get(inFlightCommandsAtom).get(key)?.state
      if (state) showState(state)
    })
    await tasks
      .start(request, outgoingLabel, key)
      .finally(() => (unsubscribe(), message.destroy(key)))
  }
  const refusal = useRefusalReason()
  const commandRefusal = useCommandRefusalReason()
  /** Opens the confirmation of a request, or shows the reason if the request is not allowed. */
  const askForConfirmation = (action: ControlConfirmation) => {
    const refusalText = refusal(getRequiredPermission(action.request), commandRefusal)
    if (refusalText) {
      onAnswered?.()
      return void message.warning(refusalText)
    }
    return action.confirm === 'none'
      ? void startWithoutDialog(action).catch(ignoreHandled)
      : setPendingAction(action)
  }
  const delayed = useDelayedControls(projectId)
  const startConfirmed = (
    request: ControlRequest,
    announcement: ControlConfirmation['spoken'],
    idempotencyKey: string,
  ): Promise<unknown> =>
    pendingAction?.delayMinutes && request.kind !== 'scene'
      ? delayed.create(request, pendingAction.delayMinutes, idempotencyKey)
      : tasks.start(request, announcement, idempotencyKey)
  const closeDialog = () => {
    setPendingAction(null)
    onAnswered?.()
  }
  // The dialog's code loads when idle, so that it delays neither the floor plan nor the first request.
  useEffect(() => void whenIdle(loadConfirmControl), [])
  const dialog = pendingAction && (
    <ConfirmControl asked={pendingAction} onStart={startConfirmed} onClose={closeDialog} />
  )
  const { modes } = building
  return {
    projectId,
    tree,
    counts,
    bar,
    modes,
    tasks,
    problems,
    /** Open manual overrides; undefined until they are read. */
    overrides,
    delayed,
    stopped: staleSince,
    busy: isBusy,
    ask: askForConfirmation,
    dialog,
  }
}
export type Home = ReturnType<typeof useHome>
