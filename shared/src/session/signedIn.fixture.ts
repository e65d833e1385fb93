import { store } from './store'
import { userInfoAtom } from './user'

/** Signs in a user with these permissions, without a call. */
export const signIn = (permissions: string[], seesAllProjects = true) =>
  store.set(userInfoAtom, {
    id: '1',
    username: 'wang',
    name: '王工',
    roles: [],
    permissions,
    mustChangePassword: false,
    seesAllProjects,
  })
