import { AlinkError, alinkCode, type Identity } from '../protocol/alink'
import type { Directory, KnownDevice } from '../directory'
import type { SignedCredentials } from '../protocol/signature'
import type { ChildVerifier } from './childVerifier'
import { checkAll, pickIdentity } from './collectResults'
import { maxChildrenPerGateway, type DeviceSessions } from './deviceSessions'

/** Logs sub-devices in and out through their gateway. */
export function createChildLogins(
  directory: Directory,
  sessions: DeviceSessions,
  verifyLogin: ChildVerifier['verifyLogin'],
) {
  async function loginChildren(gateway: KnownDevice, signedChildren: SignedCredentials[]) {
    const children = await checkAll(signedChildren, (credentials) =>
      verifyLogin(gateway, credentials),
    )
    const newChildren = children.filter((child) => !sessions.has(gateway, child))
    if (sessions.countChildren(gateway) + newChildren.length > maxChildrenPerGateway)
      throw new AlinkError(alinkCode.tooManyChildren)
    for (const child of children) sessions.login(gateway, child)
    return children.map(pickIdentity)
  }
  async function logoutChildren(gateway: KnownDevice, identities: Identity[]) {
    const children = await checkAll(identities, async (identity) => {
      const child = sessions.has(gateway, identity) ? await directory.find(identity) : undefined
      if (!child) throw new AlinkError(alinkCode.noSession, identity.deviceName)
      return child
    })
    for (const child of children) sessions.logout(gateway, child)
    return identities.map(pickIdentity)
  }
  return { loginChildren, logoutChildren }
}
