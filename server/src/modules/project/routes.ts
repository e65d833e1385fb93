import { projectApi, type SnapshotNode } from '@iot/shared/contract/project'
import { treeOf } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { missing } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { projectQueries } from './queries'

export function projectRoutes(app: FastifyInstance) {
  const queries = projectQueries(app.db)
  const { mapEngineeringTree, snapshotTree } = projectApi

  serve(
    app,
    { mapEngineeringTree, snapshotTree },
    {
      async mapEngineeringTree({ engineeringId }, { projectScope }) {
        const groups = groupBy(
          await queries.inScope(projectScope, engineeringId),
          ({ groupName }) => groupName,
        )
        return {
          children: [...groups].map(([name, projects]) => ({
            name,
            children: projects.map(({ id, name }) => ({ projectId: id, name })),
          })),
        }
      },

      async snapshotTree({ projectId }, { seesProject }) {
        const project = await queries.find(projectId)
        // One answer for both: who may not see a project does not learn that it exists.
        if (!project || !seesProject(projectId)) throw missing('项目')
        const [spaces, counts] = await Promise.all([
          queries.spaces(projectId),
          queries.deviceCounts(projectId),
        ])
        const here = new Map(counts.map(({ spaceId, count }) => [spaceId, count]))
        const snapshot = (
          { id, type, name }: Pick<SnapshotNode, 'id' | 'type' | 'name'>,
          children: SnapshotNode[],
          own = 0,
        ): SnapshotNode => ({
          id,
          type,
          name,
          deviceCount: children.reduce((sum, one) => sum + one.deviceCount, own),
          children,
        })
        return snapshot(
          { id: String(project.id), type: 'project', name: project.name },
          treeOf(spaces).nested<SnapshotNode>((space, children) =>
            snapshot(space, children, here.get(space.id)),
          ),
          here.get(null),
        )
      },
    },
  )
}

// Map.groupBy comes with Node 21.
function groupBy<T, K>(rows: T[], keyOf: (row: T) => K) {
  const groups = new Map<K, T[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return groups
}
