import { useAtomValue } from 'jotai'
import { useSyncExternalStore } from 'react'
import { themeAtom } from '../session/application'

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

/** The class of the page's root, which antd's variables hang on too. */
export const themeClass = (isDark: boolean) => (isDark ? 'iot-dark' : 'iot-light')
