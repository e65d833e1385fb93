import { useState } from 'react'
import type { Endpoint, Input, Output } from '../contract/endpoint'
import type { InFlightCommand } from '../session/outgoing'
import { sendCommand } from './sendCommand'

type Options = Pick<
  NonNullable<Parameters<typeof sendCommand>[2]>,
  'handles' | 'inline' | 'isAllowedInEditMode'
>

/**
 * Sends a command to devices and tracks its state for the pressed button: 发送中, or unknown if no response arrived.
 * @example const { state, send } = useCommand(); await send(edgeHostApi.push, { id })
 */
export function useCommand() {
  const [state, setState] = useState<InFlightCommand['state']>()
  async function send<E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
    options: Options = {},
  ): Promise<Output<E>> {
    setState('sending')
    try {
      return await sendCommand(endpoint, input, {
        ...options,
        onUnanswered: () => setState('unknown'),
      })
    } finally {
      setState(undefined)
    }
  }
  return { state, send }
}
