import { useRequest } from 'ahooks'
import { useMemo } from 'react'
import { call } from '@iot/shared/client/call'
import { projectApi } from '@iot/shared/contract/project'
import { treeOf } from '@iot/shared/contract/tree'

/** Where a device of a project may stand, each place by its names from the building down. */
export function usePlaces(projectId: number) {
  const { data } = useRequest(() => call(projectApi.spaces, { projectId }, { quiet: true }), {
    refreshDeps: [projectId],
  })
  return useMemo(() => {
    const tree = treeOf(data ?? [])
    return tree.ordered().map(({ id }) => ({
      value: id,
      label: tree
        .path(id)
        .map(({ name }) => name)
        .join(' / '),
    }))
  }, [data])
}
