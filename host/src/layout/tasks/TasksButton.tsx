import { UnorderedListOutlined } from '@ant-design/icons'
import { Button, Popover, Spin } from 'antd'
import { useAtom } from 'jotai'
import { useEffect } from 'react'
import { seenResultsAtom } from '@iot/shared/session/live'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { useMyTasks } from '@iot/shared/ui/useMyTasks'
import { inHeader } from '../inHeader'
import { PartBoundary } from '../PartBoundary'
import * as styles from '../layout.module.css'

const TaskList = lazyPart(
  () => import('./TaskList'),
  () => <Spin />,
)

/** On a narrow page the list is wider than what is left of the button. */
const onPage = { overflow: { shiftX: true, adjustY: true } }

/** How many of one's own tasks run; a dot says that there is a result nobody has looked at. */
export function TasksButton() {
  const { tasks, running, isKnown, failed, refresh } = useMyTasks()
  const results = tasks.filter(({ file }) => file !== null).map(({ id }) => id)
  const [seen, setSeen] = useAtom(seenResultsAtom)
  const hasNews = seen !== undefined && results.some((id) => !seen.has(id))
  useEffect(() => {
    // What was there when the page opened is no news.
    if (isKnown && !seen) setSeen(new Set(results))
  }, [isKnown, seen, setSeen, results])
  const said = running.length > 0 ? `${running.length} 个进行中` : hasNews ? '有新的结果' : ''

  return (
    <Popover
      trigger="click"
      getPopupContainer={inHeader}
      placement="bottomRight"
      align={onPage}
      title="我的任务"
      onOpenChange={(isOpen) => {
        setSeen(new Set(results))
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
        aria-label={said ? `任务，${said}` : '任务'}
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
