import type { ComponentProps } from 'react'
import { call } from '../../client/call'
import type { Endpoint } from '../../contract/endpoint'
import type { Tree, TreePosition } from '../../contract/tree'
import { ignoreHandled } from '../batch'
import type { RowActions } from '../right'
import type { Row } from './rowNodes'

export type RowActionList = NonNullable<ComponentProps<typeof RowActions>['more']>
/** Returns why a row cannot have this parent. */
export type RefuseParent<T extends Row> = (
  tree: Tree<T>,
  row: T,
  parentId: string | null,
) => string | undefined

/** Moves rows, and builds the actions 上移 and 下移 of a row. */
export function buildRowMoves<T extends Row>(
  tree: Tree<T>,
  move: Endpoint,
  refuses: RefuseParent<T>,
  refresh: () => void,
) {
  const moveRow = (id: string, to: TreePosition) =>
    void call(move, { id, ...to })
      .catch(ignoreHandled)
      .then(refresh)
      .catch(ignoreHandled)
  const moveRowBy = (row: T, offset: 1 | -1) => {
    const index = tree.children(row.parentId).findIndex(({ id }) => id === row.id) + offset
    moveRow(row.id, { parentId: row.parentId, index })
  }
  const buildMoveActions = (row: T): RowActionList => {
    const siblings = tree.children(row.parentId)
    const isFirst = siblings[0]?.id === row.id && '已经是第一个'
    const isLast = siblings.at(-1)?.id === row.id && '已经是最后一个'
    const moveRefusal = refuses(tree, row, row.parentId)
    return [
      {
        label: '上移',
        to: move,
        unless: moveRefusal ?? isFirst,
        onClick: () => moveRowBy(row, -1),
      },
      { label: '下移', to: move, unless: moveRefusal ?? isLast, onClick: () => moveRowBy(row, 1) },
    ]
  }
  return { moveRow, buildMoveActions }
}
