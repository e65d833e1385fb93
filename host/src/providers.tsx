import { Provider, useAtom } from 'jotai'
import { type ReactNode, useEffect } from 'react'
import { call } from '@iot/shared/client/call'
import { baseConfigApi } from '@iot/shared/contract/platform/baseConfig.api'
import { defaultThemeColour, lightenForDarkTheme } from '@iot/shared/contract/colour'
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

/** Applies the theme, and colour and icon of the platform, which the server wrote into the page. */
function PlatformTheme() {
  const [baseConfig, setBaseConfig] = useAtom(baseConfigAtom)
  const isKnown = baseConfig !== null
  useEffect(() => {
    if (!isKnown) call(baseConfigApi.get, {}, { quiet: true }).then(setBaseConfig, () => {})
  }, [isKnown, setBaseConfig])

  const isDark = useIsDark()
  const themeColour = baseConfig?.themeColor || defaultThemeColour
  const brand = isDark ? lightenForDarkTheme(themeColour) : themeColour
  useEffect(() => {
    const { classList, style } = document.documentElement
    classList.remove(themeClass(!isDark))
    classList.add(themeClass(isDark))
    style.colorScheme = isDark ? 'dark' : 'light'
    style.setProperty('--brand', brand)
  }, [isDark, brand])

  const favicon = baseConfig?.favicon
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (icon && favicon !== undefined) icon.href = favicon || 'data:,'
  }, [favicon])
  return null
}
