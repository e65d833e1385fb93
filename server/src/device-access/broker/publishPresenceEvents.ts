import type { Aedes, Client } from 'aedes'
import type { ClientAuthenticator } from './clientAuthenticator'
import { getRemoteAddress } from './getRemoteAddress'
import { buildConnectedTopic, buildDisconnectedTopic } from './presenceTopics'

/** Publishes when a device connects and disconnects. */
export function publishPresenceEvents(
  aedes: Aedes,
  findTopicScope: ClientAuthenticator['findTopicScope'],
) {
  const connectedAt = new WeakMap<Client, number>()
  let lastConnectTime = 0

  const publishPresence = (topic: string, client: Client, reason = '') => {
    const topicScope = findTopicScope(client)
    if (!topicScope) return
    const payload = JSON.stringify({
      clientid: client.id,
      username: `${topicScope.deviceName}&${topicScope.productKey}`,
      connected_at: connectedAt.get(client),
      reason,
      ipaddress: getRemoteAddress(client),
    })
    aedes.publish({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false }, () => {})
  }
  aedes.on('client', (client) => {
    connectedAt.set(client, (lastConnectTime = Math.max(Date.now(), lastConnectTime + 1)))
    publishPresence(buildConnectedTopic(client.id), client)
  })
  // A will at QoS 1 is still being delivered. The platform would lose it if the disconnect event overtook it.
  aedes.on('clientDisconnect', (client) =>
    setImmediate(() => publishPresence(buildDisconnectedTopic(client.id), client)),
  )
}
