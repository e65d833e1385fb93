import type { AlarmSeverity } from '@iot/shared/contract/alarm/alarmSeverity'
import { createPersistedAtom } from '@iot/shared/session/stored'

/**
 * These settings decide how this browser alerts its user. `severities` selects incidents of the current project;
 * notifications of a policy are announced at every severity.
 */
export type AlertPreferences = {
  /** The field is absent if the browser stored its choice before severities could be chosen; then the default applies. */
  severities?: AlarmSeverity[]
  sound: boolean
  notify: boolean
}
export const defaultSeverities: AlarmSeverity[] = ['critical', 'major']

/** By default nothing sounds and no notification of the operating system is shown. */
export const alertsAtom = createPersistedAtom<AlertPreferences>(
  'homeAlerts',
  { sound: false, notify: false },
  (value): value is AlertPreferences => {
    if (typeof value !== 'object' || value === null) return false
    const { severities = [], sound, notify } = value as Partial<AlertPreferences>
    return Array.isArray(severities) && typeof sound === 'boolean' && typeof notify === 'boolean'
  },
)
