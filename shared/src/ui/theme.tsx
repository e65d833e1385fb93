import { ConfigProvider, theme, type ThemeConfig } from 'antd'
import zhCN from 'antd/es/locale/zh_CN'
import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { themeAtom } from '../session/application'
import { baseConfigAtom } from '../session/baseConfig'

const wantsDark = matchMedia('(prefers-color-scheme: dark)')
const subscribe = (changed: () => void) => {
  wantsDark.addEventListener('change', changed)
  return () => wantsDark.removeEventListener('change', changed)
}

/** Whether the console is dark now: by choice, or as the system is. */
export function useDark() {
  const chosen = useAtomValue(themeAtom)
  const system = useSyncExternalStore(subscribe, () => wantsDark.matches)
  return chosen === 'system' ? system : chosen === 'dark'
}

const fontFamily =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans SC', 'Noto Sans CJK SC', sans-serif"
export const defaultThemeColor = '#1a66d6'

const light: Partial<ThemeConfig['token']> = { colorBgLayout: '#f3f5f8' }
const dark: Partial<ThemeConfig['token']> = { colorBgBase: '#10151c', colorBgLayout: '#0b0f14', colorBgContainer: '#151b23', colorBgElevated: '#1b232d' }

/**
 * The one theme of host and remotes: antd's tokens, also as CSS variables (`var(--ant-color-text)`) for the whole page.
 */
export function Themed({ nonce, children }: { nonce?: string; children: ReactNode }) {
  const isDark = useDark()
  const colorPrimary = useAtomValue(baseConfigAtom)?.themeColor || defaultThemeColor
  const key = isDark ? 'iot-dark' : 'iot-light'
  useEffect(() => {
    document.documentElement.classList.remove('iot-dark', 'iot-light')
    document.documentElement.classList.add(key)
    document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  }, [key, isDark])
  return (
    <ConfigProvider
      locale={zhCN}
      csp={{ nonce }}
      button={{ autoInsertSpace: false }}
      theme={{
        algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
        cssVar: { key },
        token: { colorPrimary, colorInfo: colorPrimary, borderRadius: 8, fontFamily, ...(isDark ? dark : light) },
        components: { Layout: { headerHeight: 48 } },
      }}
    >
      {children}
    </ConfigProvider>
  )
}
