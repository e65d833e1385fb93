import { rights } from '@iot/shared/contract/homeRights'
import { missing, noRight } from '../../core/refusal'
import type { Context } from '../../core/serve/context'

/** Reading devices of a project. Who may not see it does not learn that it exists. */
export function mustView({ can, seesProject }: Context, projectId?: number) {
  if (projectId !== undefined && !seesProject(projectId)) throw missing('项目')
  if (!can(rights.view.permission)) throw noRight(rights.view)
}
