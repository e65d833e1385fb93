import Flex from 'antd/es/flex'
import type { SceneScope } from '@iot/shared/contract/control/scene.schema'
import {
  createSceneScope,
  getScopePlaces,
  noPlaces,
  type ScopePlaces,
} from '@iot/shared/contract/control/sceneScope'
import { DevicesField } from '@iot/shared/control/devicesField'
import { TreeSelect } from '@iot/shared/ui/treeSelect'
import {
  buildScopeNodes,
  createLeaf,
  groupKeyPrefix,
  projectKey,
  scopeTreeProps,
} from '../ScopeSelect'
import type { SceneOptions } from './useSceneOptions'

type ScopeFieldProps = {
  projectId: number
  spaces: SceneOptions['spaces']
  groups: SceneOptions['groups']
  productType?: string
  /** Nothing is chosen if it is absent. */
  value?: SceneScope
  onChange?: (scope?: SceneScope) => void
  id?: string
}

/** Selects the scope of an action: the whole project, or any number of spaces, groups and single devices. */
export function ScopeField(props: ScopeFieldProps) {
  const { projectId, productType, spaces, groups, value, onChange, id } = props
  const places = value ? getScopePlaces(value) : noPlaces
  const keys = [
    ...(places.isWholeProject ? [projectKey] : []),
    ...places.spaceIds,
    ...places.groupIds.map((groupId) => groupKeyPrefix + groupId),
  ]
  const knownKeys = new Set([
    projectKey,
    ...spaces.ordered().map((space) => space.id),
    ...groups.map((group) => groupKeyPrefix + group.id),
  ])
  const missingNodes = keys
    .filter((key) => !knownKeys.has(key))
    .map((key) => createLeaf(key, '已删除的位置'))
  return (
    <Flex vertical gap={8}>
      <TreeSelect
        id={id}
        multiple
        aria-label="范围"
        placeholder="请选择楼栋、楼层、区域或设备组，可多选"
        treeData={[...buildScopeNodes(spaces, groups), ...missingNodes]}
        value={keys}
        onChange={(nextKeys: string[]) =>
          onChange?.(
            createSceneScope({ ...parseKeys(nextKeys, places), deviceIds: places.deviceIds }),
          )
        }
        {...scopeTreeProps}
      />
      {!places.isWholeProject && (
        <DevicesField
          {...{ projectId, productType }}
          placeholder="单台设备，按名称搜索，可不选"
          value={places.deviceIds}
          onChange={(deviceIds) => onChange?.(createSceneScope({ ...places, deviceIds }))}
        />
      )}
    </Flex>
  )
}

/** The whole project and single places exclude each other; the newer choice counts. */
function parseKeys(keys: string[], { isWholeProject }: ScopePlaces) {
  const placeKeys = keys.filter((key) => key !== projectKey)
  if (keys.includes(projectKey) && (!isWholeProject || placeKeys.length === 0))
    return { ...noPlaces, isWholeProject: true }
  return {
    ...noPlaces,
    spaceIds: placeKeys.filter((key) => !key.startsWith(groupKeyPrefix)),
    groupIds: placeKeys.flatMap((key) =>
      key.startsWith(groupKeyPrefix) ? key.slice(groupKeyPrefix.length) : [],
    ),
  }
}
