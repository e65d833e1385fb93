import { sceneApi } from '@iot/shared/contract/scene'
import { treeOf } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../core/serve/serve'
import { mustView } from '../device/policy'
import { sceneQueries, type SceneAction } from './queries'

export function sceneRoutes(app: FastifyInstance) {
  const queries = sceneQueries(app.db)

  /** How many devices each scene of a project touches. */
  async function countDevices(projectId: number, sceneIds: string[]) {
    const [actions, spaces, devices] = await Promise.all([
      queries.actions(projectId, sceneIds),
      queries.spaces(projectId),
      queries.devices(projectId),
    ])
    const tree = treeOf(spaces)
    const touches = ({ scope, productType }: SceneAction) => {
      const inside = scope.kind === 'space' ? tree.within(scope.spaceId) : undefined
      const named = scope.kind === 'devices' ? new Set(scope.deviceIds) : undefined
      return devices.filter(
        (one) =>
          one.productType === productType &&
          (inside?.has(one.spaceId ?? '') ?? true) &&
          (named?.has(one.id) ?? true),
      )
    }
    return new Map(
      sceneIds.map((id) => [
        id,
        new Set(
          actions
            .filter(({ sceneId }) => sceneId === id)
            .flatMap((action) => touches(action).map((one) => one.id)),
        ).size,
      ]),
    )
  }

  serve(app, sceneApi, {
    async page({ projectId, pageNo, pageSize }, context) {
      mustView(context, projectId)
      const { list, total } = await queries.page(
        projectId === undefined ? context.projectScope : [projectId],
        pageNo,
        pageSize,
      )
      const counts = new Map<string, number>()
      for (const project of new Set(list.map((one) => one.projectId))) {
        const ids = list.filter((one) => one.projectId === project).map((one) => one.id)
        for (const [id, count] of await countDevices(project, ids)) counts.set(id, count)
      }
      return { list: list.map((one) => ({ ...one, deviceCount: counts.get(one.id) ?? 0 })), total }
    },
  })
}
