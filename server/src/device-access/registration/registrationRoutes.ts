import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { isStorable } from '../../core/db/storable'
import { AlinkError, alinkCode } from '../protocol/alink'

const ShortText = z.string().min(1).max(64)
const RegistrationBody = z
  .object({
    productKey: ShortText,
    deviceName: ShortText,
    random: z.string().max(128),
    sign: z.string().max(128),
    signMethod: z.string().max(32),
  })
  .refine((body) => isStorable(body))

/**
 * Serves registration by product secret over HTTP: a form posted to `/auth/register/device`, answered in Alink's format
 * with HTTP 200.
 */
export function registrationRoutes(app: FastifyInstance) {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 4096 },
    (_request, body, onParsed) =>
      onParsed(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.post(
    '/auth/register/device',
    { config: { rateLimit: { max: 300, timeWindow: '1 minute' } } },
    async ({ body, ip }) => {
      try {
        const { data } = RegistrationBody.safeParse(body)
        if (!data) throw new AlinkError(alinkCode.parameter)
        const issuedCredentials = await app.devices.register(data, {
          way: 'http',
          address: ip,
          credentialKind: 'secret',
        })
        const { productKey, deviceName } = data
        return {
          code: 200,
          data: { productKey, deviceName, ...issuedCredentials },
          message: 'success',
        }
      } catch (error) {
        if (!(error instanceof AlinkError)) throw error
        return { code: error.code, message: error.message }
      }
    },
  )
}
