import { livePath } from '@iot/shared/contract/live'
import type { ServerMessage } from '@iot/shared/contract/live.schema'
import { WebSocket } from 'ws'
import type { Platform } from './platform'

/**
 * Behaves like an open home page: signs in at the live socket and subscribes to its floor. The promise resolves once
 * the subscription is active.
 */
export async function openPage(
  { address, token }: Platform,
  projectId: number,
  floorId: string,
  onMessage: (message: ServerMessage) => void,
) {
  const socket = new WebSocket(address.replace('http', 'ws') + livePath)
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () => socket.send(JSON.stringify({ type: 'auth', token })))
    socket.on('message', (raw) => {
      const message = JSON.parse(String(raw)) as ServerMessage
      if (message.type === 'ready')
        socket.send(JSON.stringify({ type: 'watch', projectId, floorIds: [floorId] }))
      if (message.type === 'watching') resolve()
      onMessage(message)
    })
  })
  return socket
}
