import { useAtomValue } from 'jotai'
import type { UserInfo } from '../contract/auth'
import type { Endpoint } from '../contract/endpoint'
import { userInfoAtom } from './user'

export const holds = (user: UserInfo | null, permission: string) =>
  permission === 'public' ||
  (user !== null &&
    (permission === 'session' ||
      user.permissions.includes('*') ||
      user.permissions.includes(permission)))

/**
 * Whether the signed-in user may make a call. The server checks the same code again.
 * @example const can = useCan(); can(brandApi.remove)
 */
export function useCan() {
  const user = useAtomValue(userInfoAtom)
  return (call: Pick<Endpoint, 'permission'>) => holds(user, call.permission)
}
