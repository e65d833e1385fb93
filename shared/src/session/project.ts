import { atom } from 'jotai'
import type { MapEngineeringTree } from '../contract/project'
import { storedAtom } from './stored'

/** `fullname` is group/project where the project comes from the map-engineering tree. */
export type Project = { id: number; name: string; fullname?: string }

/** The list before the platform has answered. */
export const projectsAtom = atom<Project[]>([
  { id: 1, name: '项目一' },
  { id: 2, name: '项目二' },
  { id: 3, name: '项目三' },
])
/** To choose from. */
export const projectOptionsAtom = atom((get) =>
  get(projectsAtom).map(({ id, name, fullname }) => ({ value: id, label: fullname ?? name })),
)
/** Why nothing is registered yet. */
export const noProjectAtom = atom(
  (get) => get(projectsAtom).length === 0 && '还没有项目，请先新建项目',
)
/** Persisted; other tabs follow. */
export const currentProjectIdAtom = storedAtom<number>(
  'currentProjectId',
  1,
  (value): value is number => Number.isInteger(value),
)

export const projectsOf = (tree: MapEngineeringTree): Project[] =>
  tree.children.flatMap((group) =>
    group.children.map(({ projectId, name }) => ({
      id: projectId,
      name,
      fullname: `${group.name}/${name}`,
    })),
  )
