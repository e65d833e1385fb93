import { useAtomValue } from 'jotai'
import { themeAtom } from '../session/application'
import { useMediaQuery } from './useMedia'

/** Returns true if the console is dark, by the user's choice or by the system setting. */
export function useIsDark() {
  const theme = useAtomValue(themeAtom)
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)')
  return theme === 'system' ? isSystemDark : theme === 'dark'
}

/** Class of the page's root, to which antd's CSS variables are bound. */
export const themeClass = (isDark: boolean) => (isDark ? 'iot-dark' : 'iot-light')

/** @deprecated Use {@link useIsDark}; kept for remotes that were built before. */
export const useDark = useIsDark
