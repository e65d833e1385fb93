import { useAtomValue } from 'jotai'
import { themeAtom } from '../session/application'
import { useMedia } from './useMedia'

/** Returns true if the console is dark, by the user's choice or by the system setting. */
export function useDark() {
  const chosen = useAtomValue(themeAtom)
  const system = useMedia('(prefers-color-scheme: dark)')
  return chosen === 'system' ? system : chosen === 'dark'
}

/** Class of the page's root, to which antd's CSS variables are bound. */
export const themeClass = (isDark: boolean) => (isDark ? 'iot-dark' : 'iot-light')
