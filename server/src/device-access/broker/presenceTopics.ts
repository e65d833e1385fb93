import { z } from 'zod'
import type { Identity } from '../protocol/alink'

// Topics and fields are those of EMQX, so that one subscription serves it and the embedded broker.
export const buildConnectedTopic = (clientId: string) =>
  `$SYS/brokers/embedded/clients/${clientId}/connected`
export const buildDisconnectedTopic = (clientId: string) =>
  `$SYS/brokers/embedded/clients/${clientId}/disconnected`
export const presenceTopics = [
  '$SYS/brokers/+/clients/+/connected',
  '$SYS/brokers/+/clients/+/disconnected',
]

const PresencePayload = z.object({
  username: z.string(),
  connected_at: z.number().default(0),
  ipaddress: z.string().default(''),
})
export type Presence = Identity & { online: boolean; since: number; address: string }

/** Returns undefined for clients that are no devices. */
export function readPresence(topic: string, payload: Buffer): Presence | undefined {
  const isOnline = topic.endsWith('/connected')
  const { data } = PresencePayload.safeParse(JSON.parse(payload.toString()))
  const [deviceName, productKey] = data?.username.split('&') ?? []
  if (!data || !deviceName || !productKey) return undefined
  return {
    productKey,
    deviceName,
    online: isOnline,
    since: data.connected_at,
    address: data.ipaddress,
  }
}
