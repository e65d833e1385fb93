import { useRequest } from 'ahooks'
import { Drawer, Empty, Flex, Select, Skeleton, Tree } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import {
  changeSign,
  type Snapshot,
  snapshotApi,
  snapshotKindText,
  type SnapshotNode,
} from '@iot/shared/contract/snapshot'
import { mapTree } from '@iot/shared/contract/tree'
import { FailedLine } from '@iot/shared/ui/usePage'
import { FieldChanges } from './FieldChanges'
import * as styles from './project.module.css'

type Node = { key: string; title: React.ReactNode; children: Node[] }
type CompareDrawerProps = { snapshot: Snapshot; all: Snapshot[]; onClose: () => void }
const now = 'now'
const changeText = { added: '新增', removed: '删除', changed: '修改' }

const title = ({ type, name, change, fields }: SnapshotNode) => (
  <span className={styles.node}>
    {change && (
      <b className={styles[change]} title={changeText[change]}>
        {changeSign[change]}
      </b>
    )}
    <span className={styles.hint}>{snapshotKindText[type]}</span>
    <span className={change === 'removed' ? styles.gone : undefined}>{name}</span>
    <FieldChanges fields={fields} />
  </span>
)

/** Compares a snapshot with the current state or a later snapshot, as a tree. */
export default function CompareDrawer({ snapshot, all, onClose }: CompareDrawerProps) {
  const { id, projectId, name } = snapshot
  const [to, setTo] = useState(now)
  const { data, error, loading, refresh } = useRequest(
    () =>
      call(
        snapshotApi.tree,
        { projectId, since: id, ...(to !== now && { snapshotId: to }) },
        { inline: true },
      ),
    { refreshDeps: [to] },
  )
  const nodes =
    data &&
    mapTree<SnapshotNode, Node>(
      [data],
      ({ children }) => children,
      (node, children) => ({ key: node.id, title: title(node), children }),
    )
  const isSame = data && data.children.length === 0 && !data.change

  return (
    <Drawer
      open
      size={720}
      title={`“${name}”之后的变化`}
      onClose={onClose}
      mask={{ closable: true }}
    >
      <Flex vertical gap={12}>
        <Flex gap={8} align="center">
          到
          <Select
            aria-label="比较到"
            style={{ minWidth: 240 }}
            value={to}
            onChange={setTo}
            options={[
              { value: now, label: '现在' },
              ...all
                .filter((one) => one.id !== id)
                .map((one) => ({ value: one.id, label: one.name })),
            ]}
          />
        </Flex>
        {error && <FailedLine why={error.message} hasRows={!!data} onRetry={refresh} />}
        {!data && loading && <Skeleton active title={false} paragraph={{ rows: 6 }} />}
        {isSame && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有变化" />}
        {nodes && !isSame && (
          <Tree<Node>
            key={to}
            defaultExpandAll
            selectable={false}
            treeData={nodes}
            height={560}
            aria-label="变化"
          />
        )}
      </Flex>
    </Drawer>
  )
}
