import type { TreeProps } from 'antd'
import type { BasicDataNode } from 'antd/es/tree'
import { getDropPosition, type TreePosition, type Tree, type TreeRow } from '../contract/tree'

/**
 * Drag and drop of rows in antd's Tree, whose nodes are the rows. `refuses` returns why a row cannot have a parent; a
 * drop is blocked there.
 * @example <Tree treeData={…} {...buildTreeDragProps(tree, (row, parentId) => getPlaceRefusal(tree, { ...row, parentId },
 * row.id), move)} />
 */
export const buildTreeDragProps = <T extends TreeRow>(
  tree: Tree<T>,
  refuses: (row: T, parentId: string | null) => string | undefined,
  onMove: (id: string, place: TreePosition) => void,
): Pick<TreeProps<T & BasicDataNode>, 'draggable' | 'allowDrop' | 'onDrop'> => ({
  draggable: { icon: false },
  // The position is -1 for the gap before the row, 1 for the gap after it, 0 for the row itself.
  allowDrop: ({ dragNode, dropNode, dropPosition }) =>
    !refuses(dragNode, dropPosition === 0 ? dropNode.id : dropNode.parentId),
  onDrop({ dragNode, node, dropPosition, dropToGap }) {
    // `onDrop` counts from the index of the row among its siblings.
    const ownIndex = Number(node.pos.split('-').at(-1))
    const dropSide = dropPosition < ownIndex ? 'before' : 'after'
    const place = getDropPosition(tree, dragNode.id, node, dropToGap ? dropSide : 'into')
    if (place) onMove(dragNode.id, place)
  },
})

/** @deprecated Use {@link buildTreeDragProps}; kept for remotes that were built before. */
export const treeDrag = buildTreeDragProps
