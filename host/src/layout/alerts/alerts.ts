import type { ProblemKind } from '@iot/shared/contract/device.schema'
import { createPersistedAtom } from '@iot/shared/session/stored'

/** What the notification policies tell the user is also shown by the operating system. */
export const desktopNotificationsAtom = createPersistedAtom(
  'desktopNotifications',
  false,
  (value): value is boolean => typeof value === 'boolean',
)

/** The user chooses which incidents raise an alert; the default raises none. */
export type AlertPreferences = { kinds: ProblemKind[]; sound: boolean; notify: boolean }
export const alertsAtom = createPersistedAtom<AlertPreferences>(
  'homeAlerts',
  { kinds: [], sound: false, notify: false },
  (value): value is AlertPreferences =>
    typeof value === 'object' &&
    value !== null &&
    Array.isArray((value as AlertPreferences).kinds) &&
    typeof (value as AlertPreferences).sound === 'boolean' &&
    typeof (value as AlertPreferences).notify === 'boolean',
)
