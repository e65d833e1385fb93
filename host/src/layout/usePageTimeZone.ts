import { useAtomValue } from 'jotai'
import { useLocation } from 'react-router-dom'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { pageTimeZone, timeZonesAtom } from '@iot/shared/session/timeZone'

/** Returns the same value as `pageTimeZone` and renders the component again when it changes. */
export function usePageTimeZone() {
  useAtomValue(timeZonesAtom)
  useAtomValue(currentProjectIdAtom)
  return pageTimeZone(useLocation().pathname)
}
