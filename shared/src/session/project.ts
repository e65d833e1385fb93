import { atom } from 'jotai'
import type { MapEngineeringTree } from '../contract/project/project.schema'
import { createPersistedAtom } from './stored'

/** `fullname` is group/project if the project comes from the map-engineering tree. */
export type Project = { id: number; name: string; fullname?: string }

/** Default projects until the server has answered. */
export const projectsAtom = atom<Project[]>([
  { id: 1, name: '项目一' },
  { id: 2, name: '项目二' },
  { id: 3, name: '项目三' },
])
/** Project pickers offer these options. */
export const projectOptionsAtom = atom((get) =>
  get(projectsAtom).map(({ id, name, fullname }) => ({ value: id, label: fullname ?? name })),
)
/** Reason why nothing can be registered; false if there is a project. */
export const noProjectReasonAtom = atom(
  (get) => get(projectsAtom).length === 0 && '还没有项目，请先新建项目',
)
/** The id is persisted; other tabs follow a change. */
export const currentProjectIdAtom = createPersistedAtom<number>(
  'currentProjectId',
  1,
  (value): value is number => Number.isInteger(value),
)

export const toProjects = (tree: MapEngineeringTree): Project[] =>
  tree.children.flatMap((group) =>
    group.children.map(({ projectId, name }) => ({
      id: projectId,
      name,
      fullname: `${group.name}/${name}`,
    })),
  )

/** @deprecated Use {@link toProjects}; kept for remotes that were built before. */
export const projectsOf = toProjects

/** @deprecated Use {@link noProjectReasonAtom}; kept for remotes that were built before. */
export const noProjectAtom = noProjectReasonAtom
