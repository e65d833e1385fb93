import { useRequest } from 'ahooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { call } from '@iot/shared/client/call'
import { authApi } from '@iot/shared/contract/auth.api'
import { permissionsReloadAtom } from '@iot/shared/session/live'
import { iconVersionAtom } from '@iot/shared/session/looks'
import { menuAtom } from '@iot/shared/session/permission'
import { userInfoAtom } from '@iot/shared/session/user'

/**
 * Keeps user, permissions and menu current: at once on an event of the platform, and at the latest after 25 seconds.
 */
export function useCurrentUser() {
  const setUser = useSetAtom(userInfoAtom)
  const setMenu = useSetAtom(menuAtom)
  const setLooksVersion = useSetAtom(iconVersionAtom)
  return useRequest(() => call(authApi.me, {}, { quiet: true }), {
    pollingInterval: 25_000,
    pollingWhenHidden: false,
    refreshDeps: [useAtomValue(permissionsReloadAtom)],
    onSuccess({ user, menu, looksVersion }) {
      setUser(user)
      setMenu(menu)
      setLooksVersion(looksVersion)
    },
  })
}
