import { Provider, useAtom } from 'jotai'
import { type ReactNode, useEffect } from 'react'
import { call } from '@iot/shared/client/call'
import { baseConfigApi } from '@iot/shared/contract/baseConfig.api'
import { baseConfigAtom } from '@iot/shared/session/baseConfig'
import { store } from '@iot/shared/session/store'
import { themeClass, useIsDark } from '@iot/shared/ui/dark'
import { CrashBoundary } from './pages/errors/CrashBoundary'
import './lite/tokens.css'

/** Provides the store shared by host and remotes, and the page's theme before antd is loaded. */
export const Providers = ({ children }: { children: ReactNode }) => (
  <CrashBoundary>
    <Provider store={store}>
      <PlatformTheme />
      {children}
    </Provider>
  </CrashBoundary>
)

/** Applies the theme, and the name, logo and colour of the platform; the last known values apply until it answers. */
function PlatformTheme() {
  const [baseConfig, setBaseConfig] = useAtom(baseConfigAtom)
  useEffect(() => {
    call(baseConfigApi.get, {}, { quiet: true }).then(setBaseConfig, () => {})
  }, [setBaseConfig])

  const isDark = useIsDark()
  const brand = baseConfig?.themeColor
  useEffect(() => {
    const { classList, style } = document.documentElement
    classList.remove(themeClass(!isDark))
    classList.add(themeClass(isDark))
    style.colorScheme = isDark ? 'dark' : 'light'
    if (brand) style.setProperty('--brand', brand)
  }, [isDark, brand])
  return null
}
