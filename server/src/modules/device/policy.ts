import { missing, noRight } from '../../core/refusal'
import type { Context } from '../../core/serve/context'

/** Reading devices of a project. Who may not see it does not learn that it exists. */
export function mustView({ can, seesProject }: Context, projectId?: number) {
  if (projectId !== undefined && !seesProject(projectId)) throw missing('项目')
  if (!can('home:device:view')) throw noRight('查看设备', 'home:device:view')
}
