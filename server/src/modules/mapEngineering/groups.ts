import type { MapGroup } from '@iot/shared/contract/project/mapEngineering.schema'
import type { MapEngineeringTree } from '@iot/shared/contract/project/project.schema'

type Project = { projectId: number; name: string; groupName: string }
type ListedProject = Project & { id: string; timeZone: string }

/** Groups projects by the group name they store, in their order. */
export function groupProjects(projects: Project[]): MapGroup[] {
  const groups = new Map<string, number[]>()
  for (const { projectId, groupName } of projects)
    groups.set(groupName, [...(groups.get(groupName) ?? []), projectId])
  return [...groups].map(([name, projectIds]) => ({ name, projectIds }))
}

/** Returns the groups of a version without deleted projects; newer projects are appended to the group they name. */
export function arrangeGroups(groups: MapGroup[], projects: Project[]): MapGroup[] {
  const existingIds = new Set(projects.map(({ projectId }) => projectId))
  const groupedIds = new Set(groups.flatMap(({ projectIds }) => projectIds))
  const currentGroups = groups.map(({ name, projectIds }) => ({
    name,
    projectIds: projectIds.filter((id) => existingIds.has(id)),
  }))
  for (const newGroup of groupProjects(
    projects.filter(({ projectId }) => !groupedIds.has(projectId)),
  )) {
    const group = currentGroups.find(({ name }) => name === newGroup.name)
    if (group) group.projectIds.push(...newGroup.projectIds)
    else currentGroups.push(newGroup)
  }
  return currentGroups
}

export function buildGroupTree(groups: MapGroup[], projects: ListedProject[]): MapEngineeringTree {
  const projectById = new Map(projects.map((project) => [project.projectId, project]))
  const children = groups.map(({ name, projectIds }) => ({
    name,
    children: projectIds.flatMap((id) => {
      const project = projectById.get(id)
      return project
        ? [{ projectId: id, id: project.id, name: project.name, timeZone: project.timeZone }]
        : []
    }),
  }))
  return { children: children.filter((group) => group.children.length > 0) }
}
