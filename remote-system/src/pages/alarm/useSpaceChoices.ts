import { useMemo } from 'react'
import { projectApi } from '@iot/shared/contract/project/project.api'
import { createTree, formatTreePath } from '@iot/shared/contract/tree'
import { usePickerOptions } from '@iot/shared/ui/useListed'

/** Returns the spaces of a project with their path from the building down; undefined until they are read. */
export function useSpaceChoices(projectId: number | null) {
  const { data } = usePickerOptions(projectApi.spaces, {
    input: { projectId: projectId ?? 0 },
    ready: projectId !== null,
  })
  return useMemo(() => {
    if (projectId === null) return []
    if (!data) return undefined
    const tree = createTree(data)
    return tree.ordered().map(({ id }) => ({
      value: id,
      label: formatTreePath(tree, id),
    }))
  }, [data, projectId])
}
