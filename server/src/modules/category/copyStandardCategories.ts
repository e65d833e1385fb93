import type { StandardCategory } from '@iot/shared/contract/product/category.schema'
import { createTree } from '@iot/shared/contract/tree'
import { assertPlaceIsAllowed } from './policy'
import type { categoryQueries, CategoryRow } from './queries'
import { groupCodes } from './standard'

const emptyModel = { properties: [], services: [], events: [] }

/**
 * Copies standard categories below a parent, each into its group, and publishes version 1, so that products can use
 * them
 * at once. A code that already exists is left unchanged.
 */
export async function copyStandardCategories(
  queries: ReturnType<typeof categoryQueries>,
  selectedCategories: StandardCategory[],
  parentId: string | null,
  actor: string,
  onInsert: (row: CategoryRow) => void,
) {
  const existingRows = await queries.lockAll()
  const keptNames: string[] = []
  const insertCategory = async (
    draft: Pick<CategoryRow, 'parentId' | 'name' | 'code' | 'model'>,
  ) => {
    assertPlaceIsAllowed(createTree(existingRows), draft.parentId)
    const siblings = existingRows.filter((row) => row.parentId === draft.parentId)
    const row = await queries.insert(
      { ...draft, icon: '', description: '', sort: siblings.length + 1, modelVersion: 0 },
      actor,
    )
    existingRows.push(row)
    onInsert(row)
    return row
  }
  const getOrCreateGroup = async (name: string) => {
    const code = groupCodes[name]!
    const existingGroup = existingRows.find(
      (row) => row.code === code || (row.parentId === parentId && row.name === name),
    )
    return existingGroup ?? (await insertCategory({ parentId, name, code, model: emptyModel }))
  }
  let copiedCount = 0
  for (const { code, name, group, model } of selectedCategories) {
    const existingRow = existingRows.find((row) => row.code === code)
    if (existingRow) {
      keptNames.push(existingRow.name)
      continue
    }
    const parentGroup = await getOrCreateGroup(group)
    const row = await insertCategory({ parentId: parentGroup.id, name, code, model })
    await publishVersion(queries, row, '复制自标准品类库', actor)
    copiedCount++
  }
  return { copied: copiedCount, kept: keptNames }
}

/** Publishes the draft as the next version; returns undefined if the row changed since it was read. */
export async function publishVersion(
  queries: ReturnType<typeof categoryQueries>,
  { id, version, model, modelVersion }: CategoryRow,
  versionNote: string,
  actor: string,
) {
  const nextNumber = modelVersion + 1
  const row = await queries.update({ id, version, modelVersion: nextNumber }, actor)
  if (row)
    await queries.addVersion(
      { categoryId: id, number: nextNumber, model, note: versionNote },
      actor,
    )
  return row
}
