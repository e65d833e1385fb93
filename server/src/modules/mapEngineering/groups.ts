import type { MapGroup } from '@iot/shared/contract/mapEngineering'
import type { MapEngineeringTree } from '@iot/shared/contract/project'

type Project = { projectId: number; name: string; groupName: string }
type Listed = Project & { id: string; timeZone: string }

/** Groups projects by the group name they store, in their order. */
export function groupsOf(projects: Project[]): MapGroup[] {
  const groups = new Map<string, number[]>()
  for (const { projectId, groupName } of projects)
    groups.set(groupName, [...(groups.get(groupName) ?? []), projectId])
  return [...groups].map(([name, projectIds]) => ({ name, projectIds }))
}

/** Returns the groups of a version without deleted projects; newer projects are appended to the group they name. */
export function arranged(groups: MapGroup[], projects: Project[]): MapGroup[] {
  const known = new Set(projects.map(({ projectId }) => projectId))
  const listed = new Set(groups.flatMap(({ projectIds }) => projectIds))
  const kept = groups.map(({ name, projectIds }) => ({
    name,
    projectIds: projectIds.filter((id) => known.has(id)),
  }))
  for (const since of groupsOf(projects.filter(({ projectId }) => !listed.has(projectId)))) {
    const group = kept.find(({ name }) => name === since.name)
    if (group) group.projectIds.push(...since.projectIds)
    else kept.push(since)
  }
  return kept
}

export function treeOfGroups(groups: MapGroup[], projects: Listed[]): MapEngineeringTree {
  const byId = new Map(projects.map((project) => [project.projectId, project]))
  const children = groups.map(({ name, projectIds }) => ({
    name,
    children: projectIds.flatMap((id) => {
      const project = byId.get(id)
      return project
        ? [{ projectId: id, id: project.id, name: project.name, timeZone: project.timeZone }]
        : []
    }),
  }))
  return { children: children.filter((group) => group.children.length > 0) }
}
