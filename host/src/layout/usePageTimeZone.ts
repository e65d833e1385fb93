import { useAtomValue } from 'jotai'
import { useLocation } from 'react-router-dom'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { pageTimeZone, timeZonesAtom } from '@iot/shared/session/timeZone'

/** `pageTimeZone` as a hook: the component renders again when the zone changes. */
export function usePageTimeZone() {
  useAtomValue(timeZonesAtom)
  useAtomValue(currentProjectIdAtom)
  return pageTimeZone(useLocation().pathname)
}
