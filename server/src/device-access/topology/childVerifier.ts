import type { RefusalReason } from '@iot/shared/contract/device/connectionRefusal.schema'
import { AlinkError, alinkCode } from '../protocol/alink'
import type { Directory, KnownDevice } from '../directory'
import { describeWrongProof, type SignedCredentials } from '../protocol/signature'

/** Called for a refused sub-device; `device` is set if it is in the project of the gateway. */
export type ChildRefusalListener = (
  gateway: KnownDevice,
  child: SignedCredentials & { device?: KnownDevice },
  reason: RefusalReason,
) => void

/**
 * Verifies the signed credentials with which a gateway speaks for a sub-device.
 * @throws AlinkError with the reply code
 */
export function createChildVerifier(directory: Directory, onRefused: ChildRefusalListener) {
  /** The documents give these two faults different codes, depending on the request. */
  async function verifyChild(
    gateway: KnownDevice,
    credentials: SignedCredentials,
    code: { signature: number; disabled: number },
  ) {
    const { device: child, signed: isProofValid } = await directory.check(credentials)
    const refuse = (code: number, reason: RefusalReason, device?: KnownDevice) => {
      onRefused(gateway, { ...credentials, device }, reason)
      return new AlinkError(code, credentials.deviceName)
    }
    if (!child || child.projectId !== gateway.projectId)
      throw refuse(alinkCode.deviceMissing, child ? 'otherProject' : 'unknownDevice')
    if (!isProofValid) throw refuse(code.signature, describeWrongProof(credentials), child)
    if (child.disabled) throw refuse(code.disabled, 'disabled', child)
    return child
  }

  async function verifyLogin(gateway: KnownDevice, credentials: SignedCredentials) {
    const child = await verifyChild(gateway, credentials, {
      signature: alinkCode.signature,
      disabled: alinkCode.childDisabled,
    })
    if (child.gatewayId !== gateway.id) {
      onRefused(gateway, { ...credentials, device: child }, 'notInTopology')
      throw new AlinkError(alinkCode.topologyMissing, child.deviceName)
    }
    return child
  }
  return { verifyChild, verifyLogin }
}
export type ChildVerifier = ReturnType<typeof createChildVerifier>
