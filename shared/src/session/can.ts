import { atom, useAtomValue } from 'jotai'
import { allows, type Endpoint } from '../contract/endpoint'
import { refuseOwner } from '../contract/ownership'
import { projectsAtom } from './project'
import { userInfoAtom } from './user'

type Asked = Pick<Endpoint, 'permission' | 'owner'>

/** Returns a function that tells if the signed-in user may make a call. */
export const mayAtom = atom((get) => {
  const user = get(userInfoAtom)
  const permissions = new Set(user?.permissions)
  const seesAllProjects = user?.seesAllProjects ?? false
  return (call: Asked) =>
    call.permission === 'public' ||
    (user !== null &&
      (call.permission === 'session' || allows({ permissions, seesAllProjects }, call)))
})

/**
 * Returns why the signed-in user may not change a row that lists its projects.
 * @example const refuseChange = useOwnership(); <Right to={viewApi.update}
 * unless={refuseChange(view.projectIds)}>…</Right>
 */
export function useOwnership() {
  const isAll = useAtomValue(userInfoAtom)?.seesAllProjects
  const ids = useAtomValue(projectsAtom).map(({ id }) => id)
  return (projectIds: number[]) => refuseOwner(isAll ? 'all' : ids, projectIds)
}

/**
 * Returns a function that tells if the signed-in user may make a call. The server checks the same code again.
 * @example const can = useCan(); can(brandApi.remove)
 */
export function useCan() {
  return useAtomValue(mayAtom)
}
