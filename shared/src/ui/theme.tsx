import ConfigProvider from 'antd/es/config-provider'
import theme from 'antd/es/theme'
import type { ThemeConfig } from 'antd'
import zhCN from 'antd/es/locale/zh_CN'
import { useAtomValue } from 'jotai'
import { type ReactNode, useMemo } from 'react'
import { defaultThemeColour, lightenForDarkTheme } from '../contract/colour'
import { baseConfigAtom } from '../session/baseConfig'
import { themeClass, useIsDark } from './dark'

const fontFamily =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans SC', 'Noto Sans CJK SC', sans-serif"
export const defaultThemeColor = defaultThemeColour

// antd's grey for hints and placeholders and its red have too little contrast; here a placeholder is often the only
// label.
const lightTokens: Partial<ThemeConfig['token']> = {
  colorBgLayout: '#f3f5f8',
  colorError: '#d9303a',
  colorTextTertiary: 'rgba(0, 0, 0, 0.58)',
  colorTextPlaceholder: 'rgba(0, 0, 0, 0.56)',
}
const darkThemeRed = '#f87d7b'
const darkTokens: Partial<ThemeConfig['token']> = {
  colorBgBase: '#10151c',
  colorBgLayout: '#0b0f14',
  colorBgContainer: '#151b23',
  colorBgElevated: '#1b232d',
  // antd would derive these from the blue ground and tint every line blue.
  colorBorder: '#3a4553',
  colorBorderSecondary: '#27303b',
  colorSplit: '#27303b',
  colorBorderDisabled: '#303a46',
  // This red is readable on the dark ground; a button filled with it has dark text.
  colorError: darkThemeRed,
  colorTextTertiary: 'rgba(255, 255, 255, 0.55)',
  colorTextPlaceholder: 'rgba(255, 255, 255, 0.54)',
  // A popup above a dialog has the same colour, so a line separates them.
  boxShadowSecondary: '0 0 0 1px #3a4553, 0 8px 24px rgba(0, 0, 0, 0.5)',
}
// antd's default label is English.
const closeButtonProps = { 'aria-label': '关闭' }
const dangerColor = '#2a0b0b'
// A loading button is marked by its icon, and its text keeps full contrast.
const buttonTokens = { opacityLoading: 1 }
const darkTag = { colorError: '#ff9c99' }
const lightTag = { colorSuccess: '#237804', colorWarning: '#ad4e00', colorError: '#cf1322' }

/**
 * Derives colours from the colour of the platform, which is lightened on a dark ground if it would hardly be seen
 * there. Links and lines are lighter on a dark ground, while filled buttons keep a colour on which white text is
 * readable. Hovered elements become darker where antd makes them lighter, so that their text stays readable.
 */
export function deriveColours(
  themeColour: string,
  isDark: boolean,
): Pick<ThemeConfig, 'token' | 'components'> {
  const brandColour = isDark ? lightenForDarkTheme(themeColour) : themeColour
  const {
    colorPrimaryActive: darker,
    colorPrimaryBorderHover: lighter,
    colorPrimaryBorder: lightest,
  } = theme.defaultAlgorithm({ ...theme.defaultSeed, colorPrimary: brandColour })
  if (!isDark)
    return {
      token: {
        ...lightTokens,
        colorPrimary: brandColour,
        colorInfo: brandColour,
        colorPrimaryHover: darker,
        colorLinkHover: darker,
      },
      components: { Button: buttonTokens, Tag: lightTag },
    }
  return {
    token: { ...darkTokens, colorPrimary: lighter, colorInfo: lighter, colorLinkHover: lightest },
    components: {
      Button: {
        ...buttonTokens,
        dangerColor,
        colorPrimary: brandColour,
        colorPrimaryHover: darker,
        colorPrimaryActive: darker,
        defaultHoverColor: lighter,
        defaultHoverBorderColor: lighter,
        defaultActiveColor: lighter,
        defaultActiveBorderColor: lighter,
      },
      // antd would dim the red once more.
      Dropdown: { colorError: darkThemeRed, colorTextLightSolid: dangerColor },
      Menu: { itemSelectedColor: lightest },
      Switch: { colorPrimary: brandColour, colorPrimaryHover: darker },
      Tag: darkTag,
    },
  }
}

let popupRoot: HTMLElement | undefined
/** Popups are rendered in their own landmark, so that screen readers can navigate to them. */
function ensurePopupRoot() {
  if (!popupRoot?.isConnected) {
    popupRoot = document.createElement('div')
    popupRoot.role = 'region'
    popupRoot.ariaLabel = '弹出内容'
    document.body.append(popupRoot)
  }
  return popupRoot
}

/** Theme of host and remotes: antd's tokens, also as CSS variables (`var(--ant-color-text)`) for the whole page. */
export function AppThemeProvider({ nonce, children }: { nonce?: string; children: ReactNode }) {
  const isDark = useIsDark()
  const brandColour = useAtomValue(baseConfigAtom)?.themeColor || defaultThemeColor
  const { token, components } = useMemo(
    () => deriveColours(brandColour, isDark),
    [brandColour, isDark],
  )
  return (
    <ConfigProvider
      locale={zhCN}
      csp={{ nonce }}
      getPopupContainer={ensurePopupRoot}
      button={{ autoInsertSpace: false }}
      drawer={{ closable: closeButtonProps }}
      modal={{ closable: closeButtonProps, styles: { header: { marginBottom: 12 } } }}
      theme={{
        algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
        cssVar: { key: themeClass(isDark) },
        // Popups appear without animation. antd would scale and move them for up to 0.3 s, and a press in that time
        // would miss its button.
        token: { borderRadius: 8, fontFamily, motion: false, ...token },
        components: {
          // The grey of an empty table is a hint and not a disabled text.
          // Rows are 48 px high, 40 px if dense.
          Table: {
            colorTextDisabled: 'var(--ant-color-text-tertiary)',
            cellPaddingBlockMD: 11.5,
            cellPaddingBlockSM: 7.5,
          },
          // Trees are used on panels, in boxes and in dialogs, so they have no ground of their own.
          Tree: { colorBgContainer: 'transparent' },
          ...components,
        },
      }}
    >
      {children}
    </ConfigProvider>
  )
}

/** @deprecated Use {@link deriveColours}; kept for remotes that were built before. */
export const coloursOf = deriveColours

/** @deprecated Use {@link AppThemeProvider}; kept for remotes that were built before. */
export const Themed = AppThemeProvider
