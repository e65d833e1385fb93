import UnorderedListOutlined from '@ant-design/icons/UnorderedListOutlined'
import Button from 'antd/es/button'
import Popover from 'antd/es/popover'
import Spin from 'antd/es/spin'
import { useAtom } from 'jotai'
import { useEffect } from 'react'
import { viewedResultIdsAtom } from '@iot/shared/session/live'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { useMyTasks } from '@iot/shared/ui/useMyTasks'
import { getHeaderContainer } from '../getHeaderContainer'
import { PartBoundary } from '../PartBoundary'
import * as styles from '../layout.module.css'

const TaskList = lazyPart(
  () => import('./TaskList'),
  () => <Spin />,
)

/** The list is wider than the space to the left of the button on a narrow page, so it may shift sideways. */
const popoverAlign = { overflow: { shiftX: true, adjustY: true } }

/** Shows how many of the user's own tasks run; a dot marks a result that has not been viewed. */
export function TasksButton() {
  const { tasks, running, isKnown, failed, refresh } = useMyTasks()
  const results = tasks.filter(({ file }) => file !== null).map(({ id }) => id)
  const [seenIds, setSeenIds] = useAtom(viewedResultIdsAtom)
  const hasNews = seenIds !== undefined && results.some((id) => !seenIds.has(id))
  useEffect(() => {
    // Results that existed when the page opened do not count as new.
    if (isKnown && !seenIds) setSeenIds(new Set(results))
  }, [isKnown, seenIds, setSeenIds, results])
  const statusText = running.length > 0 ? `${running.length} 个进行中` : hasNews ? '有新的结果' : ''

  return (
    <Popover
      trigger="click"
      getPopupContainer={getHeaderContainer}
      placement="bottomRight"
      align={popoverAlign}
      title="我的任务"
      onOpenChange={(isOpen) => {
        setSeenIds(new Set(results))
        if (isOpen) refresh()
      }}
      content={
        <PartBoundary>
          <TaskList tasks={tasks} failed={failed} refresh={refresh} />
        </PartBoundary>
      }
    >
      <Button
        type="text"
        className={styles.tasks}
        icon={<UnorderedListOutlined />}
        aria-label={statusText ? `任务，${statusText}` : '任务'}
        title="任务"
      >
        {running.length > 0 ? (
          <span className={styles.count}>{running.length}</span>
        ) : (
          hasNews && <span className={styles.news} />
        )}
      </Button>
    </Popover>
  )
}
