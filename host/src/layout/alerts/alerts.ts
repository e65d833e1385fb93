import type { ProblemKind } from '@iot/shared/contract/device.schema'
import { createPersistedAtom } from '@iot/shared/session/stored'

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
