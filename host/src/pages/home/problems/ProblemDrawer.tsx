import { Drawer, Empty } from 'antd'
import { OpenIncidents } from '@iot/shared/ui/openIncidents'
import type { OpenIncidentsData } from '@iot/shared/ui/useOpenIncidents'
import { ProblemList, type ProblemListProps } from './ProblemList'

type ProblemDrawerProps = ProblemListProps & {
  /** Undefined for a part of the project, whose incidents are not listed. */
  incidents?: OpenIncidentsData
  onClose: () => void
}

/** Lists the open incidents of the alarm rules and the other problems. Whatever leads elsewhere closes the list. */
export default function ProblemDrawer({
  incidents,
  onClose,
  onShow,
  onAsk,
  onShowShift,
  ...list
}: ProblemDrawerProps) {
  return (
    <Drawer open title="现在有问题" size={560} onClose={onClose}>
      {incidents && <OpenIncidents incidents={incidents} />}
      {list.groups.length === 0 && !incidents?.total && (
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
