import { atom, useAtomValue } from 'jotai'
import { isCallAllowed, type Endpoint } from '../contract/endpoint'
import { validateOwnership } from '../contract/access/ownership'
import { projectsAtom } from './project'
import { userInfoAtom } from './user'

type EndpointAccess = Pick<Endpoint, 'permission' | 'owner'>

/** Returns a function that tells if the signed-in user may make a call. */
export const canCallAtom = atom((get) => {
  const user = get(userInfoAtom)
  const permissions = new Set(user?.permissions)
  const seesAllProjects = user?.seesAllProjects ?? false
  return (call: EndpointAccess) =>
    call.permission === 'public' ||
    (user !== null &&
      (call.permission === 'session' || isCallAllowed({ permissions, seesAllProjects }, call)))
})

/**
 * Returns why the signed-in user may not change a row that lists its projects.
 * @example const getRefusal = useOwnershipRefusal(); <Can to={viewApi.update}
 * unless={getRefusal(view.projectIds)}>…</Can>
 */
export function useOwnershipRefusal() {
  const isAll = useAtomValue(userInfoAtom)?.seesAllProjects
  const ids = useAtomValue(projectsAtom).map(({ id }) => id)
  return (projectIds: number[]) => validateOwnership(isAll ? 'all' : ids, projectIds)
}

/**
 * Returns a function that tells if the signed-in user may make a call. The server checks the same code again.
 * @example const can = useCan(); can(brandApi.remove)
 */
export function useCan() {
  return useAtomValue(canCallAtom)
}

/** @deprecated Use {@link canCallAtom}; kept for remotes that were built before. */
export const mayAtom = canCallAtom

/** @deprecated Use {@link useOwnershipRefusal}; kept for remotes that were built before. */
export const useOwnership = useOwnershipRefusal
