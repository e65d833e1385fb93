import { randomBytes } from 'node:crypto'
import type { AedesOptions, Client } from 'aedes'
import { deviceKey } from '../protocol/alink'
import { readCredentials, readRegistration, type SignedCredentials } from '../protocol/signature'

/**
 * Maximum keep-alive in seconds, as on Alibaba's platform. A device without keep-alive would stay online forever after
 * its cable is pulled.
 */
export const maxKeepaliveSeconds = 1200
/** Maximum lifetime in seconds of a connection that only registers. */
export const maxRegistrationSeconds = 30

export type RegistrationClaim = NonNullable<ReturnType<typeof readRegistration>>

/** Reads from the first packet of a connection which device it claims to be, or that it only wants to register. */
export function createConnectClaims() {
  const claimedCredentials = new WeakMap<Client, SignedCredentials>()
  const registrationRequests = new WeakMap<Client, RegistrationClaim>()
  const keepaliveOutOfRange = new WeakSet<Client>()

  const preConnect: NonNullable<AedesOptions['preConnect']> = (client, packet, callback) => {
    const credentials = [packet.clientId, packet.username, packet.password?.toString()] as const
    const registration = readRegistration(...credentials)
    if (registration) {
      registrationRequests.set(client, registration)
      // Registration clients need not set a keep-alive, and their random client id replaces no other connection.
      packet.keepalive = maxRegistrationSeconds
      packet.clientId = `register-${randomBytes(12).toString('hex')}`
      packet.clean = true
      return callback(null, true)
    }
    const signedCredentials = readCredentials(...credentials)
    if (signedCredentials) {
      claimedCredentials.set(client, signedCredentials)
      // The client id is the identity, so that the broker closes the older of two connections of one device.
      packet.clientId = deviceKey(signedCredentials)
      // Clean sessions are forced: a persistent session would deliver outdated commands when the device returns.
      packet.clean = true
      if (!packet.keepalive || packet.keepalive > maxKeepaliveSeconds)
        keepaliveOutOfRange.add(client)
    }
    callback(null, true)
  }

  return {
    preConnect,
    findCredentials: (client: Client) => claimedCredentials.get(client),
    findRegistration: (client: Client) => registrationRequests.get(client),
    isKeepaliveOutOfRange: (client: Client) => keepaliveOutOfRange.has(client),
  }
}
