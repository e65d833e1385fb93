import {
  ArrowDownOutlined,
  ArrowUpOutlined,
  DeleteOutlined,
  FolderOutlined,
  PlusOutlined,
} from '@ant-design/icons'
import { Button, Empty, Input, Select, Tree } from 'antd'
import type { BasicDataNode } from 'antd/es/tree'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { MapGroup } from '@iot/shared/contract/mapEngineering'
import { treeOf, type Place } from '@iot/shared/contract/tree'
import { projectsAtom } from '@iot/shared/session/project'
import { treeDrag } from '@iot/shared/ui/treeDrag'
import { Because } from '@iot/shared/ui/right'
import * as styles from './map.module.css'

type Row = { id: string; parentId: string | null; name: string; projectId?: number }
type Node = Row & BasicDataNode & { children?: Node[] }
type ArrangementProps = {
  value?: MapGroup[]
  onChange?: (groups: MapGroup[]) => void
  readOnly?: boolean
}

let made = 0
const groupKey = () => `group-${made++}`

const refuses = ({ projectId }: Row, parentId: string | null) =>
  (projectId === undefined) === (parentId === null) ? undefined : '项目放在分组里'

/** Edits groups and their projects, which move by dragging, by arrow buttons, or by choosing a group. */
export function Arrangement({ value = [], onChange, readOnly = false }: ArrangementProps) {
  const projects = new Map(useAtomValue(projectsAtom).map(({ id, name }) => [id, name]))
  // The keys stay the same while the name of a group is typed.
  const [keys, setKeys] = useState<string[]>([])
  const keyOf = (index: number) => keys[index] ?? `first-${index}`
  const rows = value.flatMap<Row>(({ name, projectIds }, index) => [
    { id: keyOf(index), parentId: null, name },
    ...projectIds.map((projectId) => ({
      id: String(projectId),
      parentId: keyOf(index),
      name: projects.get(projectId) ?? `项目 ${projectId}（已删除）`,
      projectId,
    })),
  ])
  const tree = treeOf(rows)
  const groups = tree.children(null)

  /** Applies a new order of the same rows. */
  const change = (rows: Row[]) => {
    const tree = treeOf(rows)
    const groups = tree.children(null)
    setKeys(groups.map(({ id }) => id))
    onChange?.(
      groups.map(({ id, name }) => ({
        name,
        projectIds: tree.children(id).map(({ projectId }) => projectId!),
      })),
    )
  }
  const put = (id: string, { parentId, index }: Place) => {
    const rest = rows.filter((row) => row.id !== id)
    const siblings = rest.filter((row) => row.parentId === parentId)
    siblings.splice(index, 0, { ...tree.get(id)!, parentId })
    change([...rest.filter((row) => row.parentId !== parentId), ...siblings])
  }
  const step = (row: Row, by: 1 | -1) => {
    const index = tree.children(row.parentId).findIndex(({ id }) => id === row.id) + by
    put(row.id, { parentId: row.parentId, index })
  }
  const arrow = (row: Row, by: 1 | -1) => (
    <Button
      type="text"
      size="small"
      icon={by < 0 ? <ArrowUpOutlined /> : <ArrowDownOutlined />}
      aria-label={`${by < 0 ? '上移' : '下移'}${row.name}`}
      disabled={tree.children(row.parentId).at(by < 0 ? 0 : -1)?.id === row.id}
      onClick={() => step(row, by)}
    />
  )

  const groupLine = (row: Row) => (
    <span className={styles.line}>
      <FolderOutlined />
      <Input
        className={styles.name}
        size="small"
        aria-label="分组名称"
        maxLength={64}
        status={row.name.trim() ? undefined : 'error'}
        value={row.name}
        onChange={({ target }) =>
          change(rows.map((one) => (one.id === row.id ? { ...one, name: target.value } : one)))
        }
      />
      <span className={styles.count}>{tree.children(row.id).length} 个项目</span>
      {arrow(row, -1)}
      {arrow(row, 1)}
      <Because why={tree.children(row.id).length > 0 && '先把项目移到别的分组'}>
        <Button
          type="text"
          size="small"
          icon={<DeleteOutlined />}
          aria-label={`删除分组${row.name}`}
          onClick={() => change(rows.filter(({ id }) => id !== row.id))}
        />
      </Because>
    </span>
  )
  const projectLine = (row: Row) => (
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
        onChange={(parentId) => put(row.id, { parentId, index: tree.children(parentId).length })}
      />
      {arrow(row, -1)}
      {arrow(row, 1)}
    </span>
  )
  const plainLine = (row: Row) => (
    <span className={row.parentId === null ? styles.group : undefined}>{row.name}</span>
  )

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
          readOnly ? plainLine(row) : row.parentId === null ? groupLine(row) : projectLine(row)
        }
        {...(!readOnly && treeDrag(tree, refuses, put))}
      />
      {!readOnly && (
        <Button
          type="dashed"
          icon={<PlusOutlined />}
          onClick={() => change([...rows, { id: groupKey(), parentId: null, name: '新分组' }])}
        >
          新建分组
        </Button>
      )}
    </div>
  )
}
