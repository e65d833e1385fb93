import useRequest from 'ahooks/es/useRequest'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { call } from '@iot/shared/client/call'
import { dictionaryApi } from '@iot/shared/contract/platform/dictionary.api'
import { projectApi } from '@iot/shared/contract/project/project.api'
import { permissionsReloadAtom } from '@iot/shared/session/live'
import { currentProjectIdAtom, projectsAtom, toProjects } from '@iot/shared/session/project'
import { timeZonesAtom, collectTimeZones } from '@iot/shared/session/timeZone'

/**
 * Loads the projects from the map-engineering tree. The first option of the dictionary `mapEngineeringVersion` selects
 * the tree: its code is the engineering id, its description the version. Without both nothing is requested.
 */
export function useProjects() {
  const setProjects = useSetAtom(projectsAtom)
  const setTimeZones = useSetAtom(timeZonesAtom)
  const [currentId, setCurrentId] = useAtom(currentProjectIdAtom)
  const rightsVersion = useAtomValue(permissionsReloadAtom)
  const { data: dictionary, error } = useRequest(
    () => call(dictionaryApi.config, { type: 'mapEngineeringVersion' }, { quiet: true }),
    // The dictionary is read again because another version may have been published.
    { refreshDeps: [rightsVersion] },
  )
  const option = dictionary?.find(({ type }) => type === 'mapEngineeringVersion')?.configLists[0]
  const engineeringId = parseInt(option?.code ?? '', 10)
  const version = option?.description ?? ''
  const hasEngineeringVersion = !Number.isNaN(engineeringId) && version !== ''

  const tree = useRequest(
    () => call(projectApi.mapEngineeringTree, { engineeringId, version }, { quiet: true }),
    {
      ready: hasEngineeringVersion,
      // The visible projects depend on the user's permissions and on the stored projects.
      refreshDeps: [engineeringId, version, rightsVersion],
      onSuccess(tree) {
        const projects = toProjects(tree)
        setTimeZones(collectTimeZones(tree))
        setProjects(projects)
        if (projects.length > 0 && !projects.some(({ id }) => id === currentId))
          setCurrentId(projects[0]!.id)
      },
    },
  )
  return {
    // Projects that were read before stay usable when a later read fails, for example while the platform restarts.
    error: tree.data ? undefined : (error ?? tree.error),
    loading: !dictionary || (hasEngineeringVersion && !tree.data),
  }
}
