import type { ProblemKind } from '@iot/shared/contract/device'
import { storedAtom } from '@iot/shared/session/stored'

/** The user chooses which incidents raise an alert; the default raises none. */
export type Alerts = { kinds: ProblemKind[]; sound: boolean; notify: boolean }
export const alertsAtom = storedAtom<Alerts>(
  'homeAlerts',
  { kinds: [], sound: false, notify: false },
  (value): value is Alerts =>
    typeof value === 'object' &&
    value !== null &&
    Array.isArray((value as Alerts).kinds) &&
    typeof (value as Alerts).sound === 'boolean' &&
    typeof (value as Alerts).notify === 'boolean',
)
