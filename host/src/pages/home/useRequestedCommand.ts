import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useCommandRefusalReason } from '@iot/shared/control/sendCommand'
import { useFeedback } from '@iot/shared/ui/feedback'
import { useRefusalReason } from '@iot/shared/ui/right'
import { reportError } from '../errors/reportError'
import type { Groups } from './useGroups'
import type { Home } from './useHome'
import type { HomeScope } from './useScope'

/**
 * Asks about the command that was typed in the search and stands in the address. It always asks, because anybody can
 * send an address.
 */
export function useRequestedCommand(
  { projectId, tree, counts, modes, ask }: Home,
  groups: Groups,
  scope?: Pick<HomeScope, 'space' | 'group'>,
) {
  const { message } = useFeedback()
  const refusal = useRefusalReason()
  const commandRefusal = useCommandRefusalReason()
  const [params, setParams] = useSearchParams()
  const sentence = params.get('command')
  const isReady = modes.length > 0 && (groups.data !== undefined || groups.error !== undefined)
  const askForCommand = useEffectEvent(async (command: string) => {
    setParams(
      (previous) => {
        const params = new URLSearchParams(previous)
        params.delete('command')
        return params
      },
      { replace: true },
    )
    const { prepareSentence } = await import('./voice/prepareSentence')
    const prepared = await prepareSentence(command, {
      projectId,
      tree,
      counts,
      here: scope?.space,
      hereGroup: scope?.group,
      groups: groups.data,
      groupsFailed: groups.data ? undefined : groups.error?.message,
      modes,
      findRefusal: (to) => refusal(to, commandRefusal),
    })
    if (prepared.kind === 'refusal') return void message.warning(prepared.reason)
    if (prepared.kind === 'answer') return void message.info(prepared.text)
    const { action } = prepared
    ask({ ...action, confirm: action.confirm === 'strict' ? 'strict' : 'ask' })
  })
  useEffect(() => {
    if (sentence && isReady) askForCommand(sentence).catch(reportError)
  }, [sentence, isReady])
}
