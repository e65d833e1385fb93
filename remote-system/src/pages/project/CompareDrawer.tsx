import useRequest from 'ahooks/es/useRequest'
import Drawer from 'antd/es/drawer'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import Tree from 'antd/es/tree'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { changeSign, snapshotKindText } from '@iot/shared/contract/control/snapshot'
import type { Snapshot, SnapshotNode } from '@iot/shared/contract/control/snapshot.schema'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import { mapTree } from '@iot/shared/contract/tree'
import { Select } from '@iot/shared/ui/select'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { FieldChanges } from './FieldChanges'
import * as styles from './project.module.css'

type Node = { key: string; title: React.ReactNode; children: Node[] }
type CompareDrawerProps = { snapshot: Snapshot; snapshots: Snapshot[]; onClose: () => void }
const currentState = 'now'
const changeText = { added: '新增', removed: '删除', changed: '修改' }

const renderNodeTitle = ({ type, name, change, fields }: SnapshotNode) => (
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
export default function CompareDrawer({ snapshot, snapshots, onClose }: CompareDrawerProps) {
  const { id, projectId, name } = snapshot
  const [comparedTo, setComparedTo] = useState(currentState)
  const { data, error, loading, refresh } = useRequest(
    () =>
      call(
        snapshotApi.tree,
        { projectId, since: id, ...(comparedTo !== currentState && { snapshotId: comparedTo }) },
        { inline: true },
      ),
    { refreshDeps: [comparedTo] },
  )
  const nodes =
    data &&
    mapTree<SnapshotNode, Node>(
      [data],
      ({ children }) => children,
      (node, children) => ({ key: node.id, title: renderNodeTitle(node), children }),
    )
  const isUnchanged = data && data.children.length === 0 && !data.change

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
            value={comparedTo}
            onChange={setComparedTo}
            options={[
              { value: currentState, label: '现在' },
              ...snapshots
                .filter((other) => other.id !== id)
                .map((other) => ({ value: other.id, label: other.name })),
            ]}
          />
        </Flex>
        {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
        {!data && loading && <Skeleton active title={false} paragraph={{ rows: 6 }} />}
        {isUnchanged && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有变化" />}
        {nodes && !isUnchanged && (
          <Tree<Node>
            key={comparedTo}
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
