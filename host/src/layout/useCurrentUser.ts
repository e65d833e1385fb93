import useRequest from 'ahooks/es/useRequest'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { call } from '@iot/shared/client/call'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { baseConfigApi } from '@iot/shared/contract/platform/baseConfig.api'
import { baseConfigAtom } from '@iot/shared/session/baseConfig'
import { permissionsReloadAtom } from '@iot/shared/session/live'
import { iconVersionAtom } from '@iot/shared/session/looks'
import { menuAtom } from '@iot/shared/session/permission'
import { userInfoAtom } from '@iot/shared/session/user'

/**
 * Keeps user, permissions, menu and branding current: at once on an event of the platform, and at the latest after 25 seconds.
 */
export function useCurrentUser() {
  const setUser = useSetAtom(userInfoAtom)
  const setMenu = useSetAtom(menuAtom)
  const [baseConfig, setBaseConfig] = useAtom(baseConfigAtom)
  const setLooksVersion = useSetAtom(iconVersionAtom)
  return useRequest(() => call(authApi.me, {}, { quiet: true }), {
    pollingInterval: 25_000,
    pollingWhenHidden: false,
    refreshDeps: [useAtomValue(permissionsReloadAtom)],
    onSuccess({ user, menu, looksVersion, settingsVersion }) {
      setUser(user)
      setMenu(menu)
      setLooksVersion(looksVersion)
      // Any other version is read, also an older one, because the database may have been restored.
      if (settingsVersion !== baseConfig?.version)
        call(baseConfigApi.get, {}, { quiet: true }).then(setBaseConfig, () => {})
    },
  })
}
