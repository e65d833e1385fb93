import { refuseOwner } from '@iot/shared/contract/ownership'
import { notTheirs } from '../refusal'
import type { Session } from './session'

/**
 * Refuses a change of a row that names its own projects. Endpoints whose rows never name one declare `owner:
 * 'platform'` in the contract instead.
 * @throws Refusal if a project is outside the caller's scope
 */
export function mustOwn(
  { projectScope }: Pick<Session, 'projectScope'>,
  projectIds: number[],
  what: string,
) {
  const why = refuseOwner(projectScope, projectIds)
  if (why) throw notTheirs(what, why)
}
