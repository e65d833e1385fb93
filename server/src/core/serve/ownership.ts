import { refuseOwner } from '@iot/shared/contract/ownership'
import { notTheirs } from '../refusal'
import type { Session } from './session'

/**
 * Refuses a change of a row that names its projects itself. Calls whose rows never name one say `owner: 'platform'` in the
 * contract instead.
 */
export function mustOwn(
  { projectScope }: Pick<Session, 'projectScope'>,
  projectIds: number[],
  what: string,
) {
  const why = refuseOwner(projectScope, projectIds)
  if (why) throw notTheirs(what, why)
}
