import SolutionOutlined from '@ant-design/icons/SolutionOutlined'
import Button from 'antd/es/button'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { type ShiftProps, useShift } from './useShift'
import * as styles from '../problems/problems.module.css'

const ShiftDrawer = lazyDialog(() => import('./ShiftDrawer'))

type ShiftButtonProps = ShiftProps & { isOpen: boolean; onOpen: (isOpen: boolean) => void }

/** Opens what happened since the user's last shift, and shows how many are not acknowledged. */
export function ShiftButton({ isOpen, onOpen: setOpen, ...props }: ShiftButtonProps) {
  const shift = useShift(props.projectId)
  const count = shift.open ?? 0
  const isUnread = shift.error !== undefined && shift.open === undefined
  return (
    <>
      <Button
        size="small"
        type="text"
        icon={<SolutionOutlined />}
        aria-label={`交接${count > 0 ? `，${count} 条未确认` : isUnread ? '，未读到' : ''}`}
        title={count > 0 ? `交接：${count} 条未确认` : '交接：上次在岗以来'}
        onClick={() => setOpen(true)}
      >
        交接{isUnread && '（未读到）'}
        {count > 0 && <span className={styles.total}>{count > 999 ? '999+' : count}</span>}
      </Button>
      {isOpen && <ShiftDrawer {...props} shift={shift} onClose={() => setOpen(false)} />}
    </>
  )
}
