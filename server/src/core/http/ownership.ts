import { validateOwnership } from '@iot/shared/contract/access/ownership'
import { createOwnershipRefusal } from '../refusal'
import type { Session } from './session'

/**
 * Refuses a change of a row that names its own projects. Endpoints whose rows never name one declare `owner:
 * 'platform'` in the contract instead.
 * @throws Refusal if a project is outside the caller's scope
 */
export function assertOwnsProjects(
  { projectScope }: Pick<Session, 'projectScope'>,
  projectIds: number[],
  subject: string,
) {
  const reason = validateOwnership(projectScope, projectIds)
  if (reason) throw createOwnershipRefusal(subject, reason)
}
