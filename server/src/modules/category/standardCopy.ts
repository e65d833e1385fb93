import type { StandardCategory } from '@iot/shared/contract/category'
import { treeOf } from '@iot/shared/contract/tree'
import { mustFit } from './policy'
import type { categoryQueries, CategoryRow } from './queries'
import { groupCodes } from './standard'

const empty = { properties: [], services: [], events: [] }

/**
 * Copies standard categories below a parent, each into its group, and publishes version 1, so that products can use
 * them
 * at once. A code that already exists is left unchanged.
 */
export async function copyStandard(
  rows: ReturnType<typeof categoryQueries>,
  chosen: StandardCategory[],
  parentId: string | null,
  by: string,
  noteNew: (row: CategoryRow) => void,
) {
  const all = await rows.held()
  const kept: string[] = []
  const put = async (draft: Pick<CategoryRow, 'parentId' | 'name' | 'code' | 'model'>) => {
    mustFit(treeOf(all), draft.parentId)
    const siblings = all.filter((row) => row.parentId === draft.parentId)
    const row = await rows.insert(
      { ...draft, icon: '', description: '', sort: siblings.length + 1, modelVersion: 0 },
      by,
    )
    all.push(row)
    noteNew(row)
    return row
  }
  const groupOf = async (name: string) => {
    const code = groupCodes[name]!
    const standing = all.find(
      (row) => row.code === code || (row.parentId === parentId && row.name === name),
    )
    return standing ?? (await put({ parentId, name, code, model: empty }))
  }
  let copied = 0
  for (const { code, name, group, model } of chosen) {
    const taken = all.find((row) => row.code === code)
    if (taken) {
      kept.push(taken.name)
      continue
    }
    const above = await groupOf(group)
    const row = await put({ parentId: above.id, name, code, model })
    await publishVersion(rows, row, '复制自标准品类库', by)
    copied++
  }
  return { copied, kept }
}

/** Publishes the draft as the next version; returns undefined if the row changed since it was read. */
export async function publishVersion(
  rows: ReturnType<typeof categoryQueries>,
  { id, version, model, modelVersion }: CategoryRow,
  note: string,
  by: string,
) {
  const number = modelVersion + 1
  const row = await rows.update({ id, version, modelVersion: number }, by)
  if (row) await rows.addVersion({ categoryId: id, number, model, note }, by)
  return row
}
