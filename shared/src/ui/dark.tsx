import { useAtomValue } from 'jotai'
import { themeAtom } from '../session/application'
import { useMedia } from './useMedia'

/** Whether the console is dark now: by choice, or as the system is. */
export function useDark() {
  const chosen = useAtomValue(themeAtom)
  const system = useMedia('(prefers-color-scheme: dark)')
  return chosen === 'system' ? system : chosen === 'dark'
}

/** The class of the page's root, which antd's variables hang on too. */
export const themeClass = (isDark: boolean) => (isDark ? 'iot-dark' : 'iot-light')
