import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { keyOf } from './alink'
import { readClaim, readCredentials } from './signature'
import { reaches } from './topicRules'
import { locate } from './topics'

const Connect = z.object({
  clientid: z.string().max(512),
  username: z.string().max(256),
  password: z.string().max(256),
  peerhost: z.string().max(64).default(''),
})
const Touch = z.object({
  username: z.string().max(256),
  topic: z.string().max(1024),
  action: z.enum(['publish', 'subscribe']).optional(),
})

/**
 * Serves the HTTP authenticator and authorizer of an external broker in EMQX's format. Requests carry `Authorization:
 * Bearer <mqttHookSecret>`; the routes exist only if this setting is present.
 */
export function brokerHooks(app: FastifyInstance) {
  const { mqttHookSecret } = app.settings
  if (!mqttHookSecret) return
  const wanted = digest(`Bearer ${mqttHookSecret}`)
  app.addHook('onRequest', async (request, reply) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), wanted))
      await reply.code(401).send({ result: 'deny' })
  })

  app.post('/v1/broker/authenticate', async ({ body }) => {
    const { data } = Connect.safeParse(body)
    const signed = data && readCredentials(data.clientid, data.username, data.password)
    if (!signed && data) {
      const { clientid: clientId, username, peerhost: address } = data
      const claim = { ...readClaim(username), clientId, address, reason: 'wrongFormat' as const }
      await app.devices.authority.noteRefusal(claim)
    }
    if (!signed || (await app.devices.authority.admits(signed, data?.peerhost ?? '')) !== 'yes')
      return { result: 'deny' }
    // The client id of a device carries a timestamp; the override allows one connection per identity, as on the
    // embedded broker.
    return { result: 'allow', is_superuser: false, clientid_override: keyOf(signed) }
  })

  app.post('/v1/broker/authorize', async ({ body }) => {
    const { data } = Touch.safeParse(body)
    const [deviceName, productKey] = data?.username.split('&') ?? []
    if (!data || !deviceName || !productKey) return { result: 'deny' }
    const identity = { productKey, deviceName }
    const { speaksFor, answersFor } = app.devices.authority
    if (reaches({ ...identity, children: new Set() }, data.topic)) return { result: 'allow' }
    const at = data.topic.length > 512 ? undefined : locate(data.topic)
    if (at && (await speaksFor(identity, at))) return { result: 'allow' }
    // The hook carries no payload, so the error tells the gateway only which topic was rejected.
    if (data.action === 'publish') await answersFor(identity, data.topic)
    return { result: 'deny' }
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest()
