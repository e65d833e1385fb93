import type { AedesOptions } from 'aedes'
import { deviceKey } from '../protocol/alink'
import { parseDeviceTopic } from '../protocol/topics'
import type { BrokerAuthority } from './brokerAuthority'
import { isHandledTopic } from './brokerLink'
import type { ClientAuthenticator } from './clientAuthenticator'
import { containsDevice, canAccessTopic } from './topicAccess'
import { warnOncePerHour } from './warnOncePerHour'
import { runInBackground } from '../../core/db/outage'

/** Dropped messages are moved to this topic, which has no subscriber: the sender still gets its acknowledgement. */
const discardTopic = 'nowhere'

/** Decides which messages a client may publish and receive. */
export function createTopicAuthorizer(
  authority: BrokerAuthority,
  clients: Pick<ClientAuthenticator, 'isPlatform' | 'findTopicScope' | 'findRegistrationReply'>,
) {
  const authorizePublish: NonNullable<AedesOptions['authorizePublish']> = (
    client,
    packet,
    callback,
  ) => {
    if (client && clients.isPlatform(client)) return callback(null)
    const topicScope = client && clients.findTopicScope(client)
    // Retained messages would outlive the device that sent them, so the flag is removed.
    packet.retain = false
    const isOwn = topicScope && canAccessTopic(topicScope, packet.topic)
    if (isOwn || (topicScope && containsDevice(topicScope, packet.topic))) {
      if (!isOwn || !isHandledTopic(packet.topic))
        warnOncePerHour(topicScope, `消息无人处理，已丢弃：${packet.topic.slice(0, 200)}`)
      return callback(null)
    }
    const foreignTopicError = new Error(`not its topic: ${packet.topic.slice(0, 200)}`)
    if (!topicScope) return callback(foreignTopicError)
    const answerClient = authority
      .rejectChildMessage(topicScope, packet.topic, Buffer.from(packet.payload))
      // The owner of the topic is unknown while the database is away, so the message is dropped without an error.
      .catch(() => true)
      .then((isRejectedChild) => {
        if (!isRejectedChild) return callback(foreignTopicError)
        packet.topic = discardTopic
        callback(null)
      })
    runInBackground(answerClient, '设备发布的消息未答复')
  }

  // A gateway may still subscribe to topics of a sub-device that has moved to another gateway; it must receive
  // nothing.
  const authorizeForward: NonNullable<AedesOptions['authorizeForward']> = (client, packet) => {
    const topicScope = clients.findTopicScope(client)
    const deviceTopic = topicScope && parseDeviceTopic(packet.topic)
    const gatewayKey = deviceTopic && authority.findGatewayKey(deviceKey(deviceTopic))
    return gatewayKey === undefined || gatewayKey === deviceKey(topicScope!) ? packet : null
  }

  const authorizeSubscribe: NonNullable<AedesOptions['authorizeSubscribe']> = (
    client,
    subscription,
    callback,
  ) => {
    const topicScope = clients.findTopicScope(client)
    callback(
      null,
      clients.isPlatform(client) ||
        (topicScope && canAccessTopic(topicScope, subscription.topic)) ||
        clients.findRegistrationReply(client)?.topic === subscription.topic
        ? subscription
        : null,
    )
  }

  return { authorizePublish, authorizeForward, authorizeSubscribe }
}
