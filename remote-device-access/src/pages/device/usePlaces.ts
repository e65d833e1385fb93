import { useMemo } from 'react'
import { projectApi } from '@iot/shared/contract/project'
import { treeOf } from '@iot/shared/contract/tree'
import { useListed } from '@iot/shared/ui/useListed'

/** Where a device of a project may stand, each place by its names from the building down; none yet while not read. */
export function usePlaces(projectId: number) {
  const { data } = useListed(projectApi.spaces, { input: { projectId } })
  return useMemo(() => {
    if (!data) return undefined
    const tree = treeOf(data)
    return tree.ordered().map(({ id }) => ({
      value: id,
      label: tree
        .path(id)
        .map(({ name }) => name)
        .join(' / '),
    }))
  }, [data])
}
