import { useMemo } from 'react'
import { projectApi } from '@iot/shared/contract/project/project.api'
import { createTree, formatTreePath } from '@iot/shared/contract/tree'
import { usePickerOptions } from '@iot/shared/ui/useListed'

/** Returns the spaces of a project with their path from the building down; `undefined` until they are read. */
export function useSpaceOptions(projectId: number) {
  const { data } = usePickerOptions(projectApi.spaces, { input: { projectId } })
  return useMemo(() => {
    if (!data) return undefined
    const tree = createTree(data)
    return tree.ordered().map(({ id }) => ({
      value: id,
      label: formatTreePath(tree, id),
    }))
  }, [data])
}
