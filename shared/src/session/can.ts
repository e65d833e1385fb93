import { atom, useAtomValue } from 'jotai'
import { holds, type Endpoint } from '../contract/endpoint'
import { userInfoAtom } from './user'

/** Whether the signed-in user may do what asks for a permission. */
export const mayAtom = atom((get) => {
  const user = get(userInfoAtom)
  const codes = new Set(user?.permissions)
  return (permission: string) =>
    permission === 'public' ||
    (user !== null && (permission === 'session' || holds(codes, permission)))
})

/**
 * Whether the signed-in user may make a call. The server checks the same code again.
 * @example const can = useCan(); can(brandApi.remove)
 */
export function useCan() {
  const may = useAtomValue(mayAtom)
  return (call: Pick<Endpoint, 'permission'>) => may(call.permission)
}
