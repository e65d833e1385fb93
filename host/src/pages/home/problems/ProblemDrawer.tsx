import { Drawer, Empty } from 'antd'
import { ProblemList, type ProblemListProps } from './ProblemList'

/** Lists the open incidents. Whatever leads elsewhere closes the list. */
export default function ProblemDrawer({
  onClose,
  onShow,
  onAsk,
  onShowShift,
  ...list
}: ProblemListProps & { onClose: () => void }) {
  return (
    <Drawer open title="现在有问题" size={560} onClose={onClose}>
      {list.groups.length === 0 && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="现在没有问题" />
      )}
      <ProblemList
        {...list}
        onShow={(problem) => (onClose(), onShow(problem))}
        onAsk={(action) => (onClose(), onAsk(action))}
        onShowShift={() => (onClose(), onShowShift())}
      />
    </Drawer>
  )
}
