import type { Menu } from '@iot/shared/contract/menu'

export type MenuTree = Menu & { children?: MenuTree[] }

export const childrenOf = (rows: Menu[], parentId: string | null) =>
  rows.filter((row) => row.parentId === parentId).sort((a, b) => a.sort - b.sort)

export const treeOf = (rows: Menu[], parentId: string | null = null): MenuTree[] =>
  childrenOf(rows, parentId).map((row) => {
    const children = treeOf(rows, row.id)
    return children.length > 0 ? { ...row, children } : row
  })

const isWithin = (rows: Menu[], id: string, ancestorId: string): boolean => {
  const row = rows.find((one) => one.id === id)
  return (
    row !== undefined &&
    (row.id === ancestorId || (row.parentId !== null && isWithin(rows, row.parentId, ancestorId)))
  )
}

/** Folders hold folders and pages, pages hold buttons, and nothing comes below itself. */
export function mayHold(rows: Menu[], parentId: string | null, child: Pick<Menu, 'id' | 'type'>) {
  const parent = rows.find((row) => row.id === parentId)
  if (child.type === 'button') return parent?.type === 'page'
  return parent === undefined || (parent.type === 'folder' && !isWithin(rows, parent.id, child.id))
}

/** Where a dragged row lands: into a row, or into the gap before or after it. The index counts the siblings without the row itself. */
export function landing(
  rows: Menu[],
  draggedId: string,
  onto: Menu,
  gap: 'into' | 'before' | 'after',
) {
  if (gap === 'into') return { parentId: onto.id, index: 0 }
  const siblings = childrenOf(rows, onto.parentId).filter(({ id }) => id !== draggedId)
  return {
    parentId: onto.parentId,
    index: siblings.findIndex(({ id }) => id === onto.id) + (gap === 'after' ? 1 : 0),
  }
}
