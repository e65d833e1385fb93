import Tag from 'antd/es/tag'
import { clientStateText } from '@iot/shared/contract/device/network'
import type { ClientState } from '@iot/shared/contract/device/network.schema'

/** Shows whether a client is connected; a tag marks those that may not connect. */
export function ClientStateText({ state }: { state: ClientState | null }) {
  if (state === null) return '离线'
  if (state === 'online') return clientStateText[state]
  return <Tag color={state === 'slowed' ? 'error' : 'default'}>{clientStateText[state]}</Tag>
}
