import type { Space } from '@iot/shared/contract/project/project.schema'

/** Creates a space without a floor plan. */
export const createSpace = (
  id: string,
  parentId: string | null,
  type: Space['type'],
  name: string,
): Space => ({
  id,
  parentId,
  type,
  name,
  projectId: 1,
  sort: 1,
  plan: null,
  planWidth: null,
  planHeight: null,
})
