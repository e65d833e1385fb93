import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import FolderOutlined from '@ant-design/icons/FolderOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import Input from 'antd/es/input'
import Tree from 'antd/es/tree'
import type { BasicDataNode } from 'antd/es/tree'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { MapGroup } from '@iot/shared/contract/project/mapEngineering.schema'
import { createTree, type TreePosition } from '@iot/shared/contract/tree'
import { projectsAtom } from '@iot/shared/session/project'
import { buildTreeDragProps } from '@iot/shared/ui/treeDrag'
import { DisabledWithReason } from '@iot/shared/ui/right'
import { Select } from '@iot/shared/ui/select'
import * as styles from './map.module.css'

type Row = { id: string; parentId: string | null; name: string; projectId?: number }
type Node = Row & BasicDataNode & { children?: Node[] }
type ProjectGroupTreeProps = {
  value?: MapGroup[]
  onChange?: (groups: MapGroup[]) => void
  readOnly?: boolean
}

let createdGroupCount = 0
const createGroupKey = () => `group-${createdGroupCount++}`

const explainRefusedMove = ({ projectId }: Row, parentId: string | null) =>
  (projectId === undefined) === (parentId === null) ? undefined : '项目放在分组里'

/** Edits groups and their projects, which move by dragging, by arrow buttons, or by choosing a group. */
export function ProjectGroupTree({
  value = [],
  onChange,
  readOnly = false,
}: ProjectGroupTreeProps) {
  const editing = useGroupRows(value, onChange)
  const { rows, tree, groups, applyRows, moveRow } = editing

  return (
    <div className={styles.tree}>
      {rows.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有项目" />}
      <Tree<Node>
        blockNode
        selectable={false}
        aria-label="分组和项目"
        fieldNames={{ key: 'id', title: 'name' }}
        expandedKeys={groups.map(({ id }) => id)}
        treeData={tree.nested<Node>((row, children) => ({ ...row, children }))}
        titleRender={(row) =>
          readOnly ? (
            <ReadOnlyLine row={row} />
          ) : row.parentId === null ? (
            <GroupLine row={row} editing={editing} />
          ) : (
            <ProjectLine row={row} editing={editing} />
          )
        }
        {...(!readOnly && buildTreeDragProps(tree, explainRefusedMove, moveRow))}
      />
      {!readOnly && (
        <Button
          type="dashed"
          icon={<PlusOutlined />}
          onClick={() =>
            applyRows([...rows, { id: createGroupKey(), parentId: null, name: '新分组' }])
          }
        >
          新建分组
        </Button>
      )}
    </div>
  )
}

type GroupEditing = ReturnType<typeof useGroupRows>

/** Turns groups into rows of a tree, and changed rows back into groups. */
function useGroupRows(value: MapGroup[], onChange: ProjectGroupTreeProps['onChange']) {
  const projects = new Map(useAtomValue(projectsAtom).map(({ id, name }) => [id, name]))
  // The keys stay the same while the name of a group is typed.
  const [groupKeys, setGroupKeys] = useState<string[]>([])
  const getGroupKey = (index: number) => groupKeys[index] ?? `first-${index}`
  const rows = value.flatMap<Row>(({ name, projectIds }, index) => [
    { id: getGroupKey(index), parentId: null, name },
    ...projectIds.map((projectId) => ({
      id: String(projectId),
      parentId: getGroupKey(index),
      name: projects.get(projectId) ?? `项目 ${projectId}（已删除）`,
      projectId,
    })),
  ])
  const tree = createTree(rows)
  const groups = tree.children(null)

  /** Applies a new order of the same rows. */
  const applyRows = (rows: Row[]) => {
    const tree = createTree(rows)
    const groups = tree.children(null)
    setGroupKeys(groups.map(({ id }) => id))
    onChange?.(
      groups.map(({ id, name }) => ({
        name,
        projectIds: tree.children(id).map(({ projectId }) => projectId!),
      })),
    )
  }
  const moveRow = (id: string, { parentId, index }: TreePosition) => {
    const otherRows = rows.filter((row) => row.id !== id)
    const siblings = otherRows.filter((row) => row.parentId === parentId)
    siblings.splice(index, 0, { ...tree.get(id)!, parentId })
    applyRows([...otherRows.filter((row) => row.parentId !== parentId), ...siblings])
  }
  return { rows, tree, groups, applyRows, moveRow }
}

type LineProps = { row: Row; editing: GroupEditing }

function MoveArrow({ row, offset, editing: { tree, moveRow } }: LineProps & { offset: 1 | -1 }) {
  const moveByStep = () => {
    const index = tree.children(row.parentId).findIndex(({ id }) => id === row.id) + offset
    moveRow(row.id, { parentId: row.parentId, index })
  }

  return (
    <Button
      type="text"
      size="small"
      icon={offset < 0 ? <ArrowUpOutlined /> : <ArrowDownOutlined />}
      aria-label={`${offset < 0 ? '上移' : '下移'}${row.name}`}
      disabled={tree.children(row.parentId).at(offset < 0 ? 0 : -1)?.id === row.id}
      onClick={moveByStep}
    />
  )
}

function GroupLine({ row, editing }: LineProps) {
  const { rows, tree, applyRows } = editing
  return (
    <span className={styles.line}>
      <FolderOutlined />
      <Input
        className={styles.name}
        size="small"
        aria-label="分组名称"
        status={MapGroup.shape.name.safeParse(row.name).success ? undefined : 'error'}
        value={row.name}
        onChange={({ target }) =>
          applyRows(
            rows.map((otherRow) =>
              otherRow.id === row.id ? { ...otherRow, name: target.value } : otherRow,
            ),
          )
        }
      />
      <span className={styles.count}>{tree.children(row.id).length} 个项目</span>
      <MoveArrow row={row} offset={-1} editing={editing} />
      <MoveArrow row={row} offset={1} editing={editing} />
      <DisabledWithReason why={tree.children(row.id).length > 0 && '先把项目移到别的分组'}>
        <Button
          type="text"
          size="small"
          icon={<DeleteOutlined />}
          aria-label={`删除分组${row.name}`}
          onClick={() => applyRows(rows.filter(({ id }) => id !== row.id))}
        />
      </DisabledWithReason>
    </span>
  )
}

function ProjectLine({ row, editing }: LineProps) {
  const { tree, groups, moveRow } = editing
  return (
    <span className={styles.line}>
      <span className={styles.name}>{row.name}</span>
      <Select
        size="small"
        variant="borderless"
        aria-label={`${row.name}的分组`}
        popupMatchSelectWidth={false}
        style={{ width: 180 }}
        value={row.parentId}
        options={groups.map(({ id, name }) => ({ value: id, label: name || '未命名分组' }))}
        onChange={(parentId) =>
          moveRow(row.id, { parentId, index: tree.children(parentId).length })
        }
      />
      <MoveArrow row={row} offset={-1} editing={editing} />
      <MoveArrow row={row} offset={1} editing={editing} />
    </span>
  )
}

const ReadOnlyLine = ({ row }: { row: Row }) => (
  <span className={row.parentId === null ? styles.group : undefined}>{row.name}</span>
)
