import type { MqttClient } from 'mqtt'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { edgeReplyTimeoutMs } from '../commands/timeouts'
import type { Identity, Reply } from './alink'
import { buildDeviceTopic } from './topics'

/** A value may be plain or an object with the time of the device. */
export type PostedValues = Record<string, Values[string] | { value: Values[string]; time: number }>
type PendingReply = { succeed: (reply: Reply) => void; fail: (error: Error) => void }

/** Publishes the requests and posts of the gateway and its sub-devices, and matches replies to requests. */
export function createEdgePublisher(
  client: Pick<MqttClient, 'publish'>,
  gateway: Identity,
  replyTimeoutMs = edgeReplyTimeoutMs,
) {
  const pendingReplies = new Map<string, PendingReply>()
  let lastMessageId = 0

  /** @throws Error if the request cannot be published, or is not answered within `replyTimeoutMs` */
  const request = (identity: Identity, action: string, params: unknown) =>
    new Promise<Reply>((resolve, reject) => {
      const messageId = String(++lastMessageId)
      const settle = () => {
        clearTimeout(timer)
        pendingReplies.delete(messageId)
      }
      const fail = (error: Error) => {
        settle()
        reject(error)
      }
      const timer = setTimeout(
        () =>
          fail(
            new Error(`${identity.deviceName}: ${action} ${replyTimeoutMs / 1000} 秒内没有应答`),
          ),
        replyTimeoutMs,
      )
      pendingReplies.set(messageId, {
        fail,
        succeed(reply) {
          settle()
          resolve(reply)
        },
      })
      client.publish(
        buildDeviceTopic(identity, action),
        JSON.stringify({
          id: messageId,
          version: '1.0',
          params,
          method: action.replaceAll('/', '.'),
        }),
        // The broker keeps a request at QoS 1 while another process takes the partition over, and drops one at QoS 0.
        { qos: 1 },
        (error) => error && fail(error),
      )
    })
  /** The post asks for no reply, because the client would not read it. */
  const postValues = (identity: Identity, values: PostedValues) =>
    void client.publish(
      buildDeviceTopic(identity, 'thing/event/property/post'),
      JSON.stringify({
        id: String(++lastMessageId),
        version: '1.0',
        sys: { ack: 0 },
        params: values,
        method: 'thing.event.property.post',
      }),
    )

  const postEvent = (identity: Identity, identifier: string, params: Record<string, unknown>) =>
    void client.publish(
      buildDeviceTopic(identity, `thing/event/${identifier}/post`),
      JSON.stringify({
        id: String(++lastMessageId),
        version: '1.0',
        sys: { ack: 0 },
        params,
        method: `thing.event.${identifier}.post`,
      }),
    )

  const settleReply = (reply: Reply) => pendingReplies.get(reply.id)?.succeed(reply)
  /** Rejects the requests that wait for a reply, because none can arrive any more. */
  const rejectPending = (error: Error) => {
    for (const { fail } of [...pendingReplies.values()]) fail(error)
  }

  /** Reports the running version or the progress of an update. */
  const reportFirmware = (reportKind: 'inform' | 'progress', params: Record<string, string>) =>
    void client.publish(
      `/ota/device/${reportKind}/${gateway.productKey}/${gateway.deviceName}`,
      JSON.stringify({ id: String(++lastMessageId), params }),
    )

  return { request, settleReply, rejectPending, postValues, postEvent, reportFirmware }
}
