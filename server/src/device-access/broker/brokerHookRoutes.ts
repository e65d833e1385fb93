import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { deviceKey } from '../protocol/alink'
import { readClaimedIdentity, readCredentials } from '../protocol/signature'
import { canAccessTopic } from './topicAccess'
import { parseDeviceTopic } from '../protocol/topics'

/** A client may send any name or none; it is refused by its content, so that the refusal is recorded. */
const AuthenticateRequest = z.object({
  clientid: z.string().catch(''),
  username: z.string().catch(''),
  password: z.string().catch(''),
  peerhost: z.string().catch(''),
})
const AuthorizeRequest = z.object({
  username: z.string().max(256),
  topic: z.string().max(1024),
  action: z.enum(['publish', 'subscribe']).optional(),
})

/**
 * Serves the HTTP authenticator and authorizer of an external broker in EMQX's format. Requests carry `Authorization:
 * Bearer <mqttHookSecret>`; the routes exist only if this setting is present.
 */
export function brokerHookRoutes(app: FastifyInstance) {
  const { mqttHookSecret } = app.settings
  if (!mqttHookSecret) return
  const expectedDigest = computeDigest(`Bearer ${mqttHookSecret}`)
  app.addHook('onRequest', async (request, reply) => {
    if (!timingSafeEqual(computeDigest(request.headers.authorization ?? ''), expectedDigest))
      await reply.code(401).send({ result: 'deny' })
  })

  app.post('/v1/broker/authenticate', async ({ body }) => {
    const { data } = AuthenticateRequest.safeParse(body)
    const credentials = data && readCredentials(data.clientid, data.username, data.password)
    if (!credentials && data) {
      const { clientid: clientId, username, peerhost: address } = data
      const claim = {
        ...readClaimedIdentity(username),
        clientId,
        address,
        reason: 'wrongFormat' as const,
      }
      await app.devices.authority.recordRefusal(claim)
    }
    if (
      !credentials ||
      (await app.devices.authority.admits(credentials, data?.peerhost ?? '')) !== 'yes'
    )
      return { result: 'deny' }
    // The client id of a device carries a timestamp; the override allows one connection per identity, as on the
    // embedded broker.
    return { result: 'allow', is_superuser: false, clientid_override: deviceKey(credentials) }
  })

  app.post('/v1/broker/authorize', async ({ body }) => {
    const { data } = AuthorizeRequest.safeParse(body)
    const [deviceName, productKey] = data?.username.split('&') ?? []
    if (!data || !deviceName || !productKey) return { result: 'deny' }
    const identity = { productKey, deviceName }
    const { canActFor, rejectChildMessage } = app.devices.authority
    if (canAccessTopic({ ...identity, children: new Set() }, data.topic)) return { result: 'allow' }
    const deviceTopic = data.topic.length > 512 ? undefined : parseDeviceTopic(data.topic)
    if (deviceTopic && (await canActFor(identity, deviceTopic))) return { result: 'allow' }
    // The hook carries no payload, so the error tells the gateway only which topic was rejected.
    if (data.action === 'publish') await rejectChildMessage(identity, data.topic)
    return { result: 'deny' }
  })
}

const computeDigest = (text: string) => createHash('sha256').update(text).digest()
