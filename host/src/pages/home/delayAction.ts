import { formatDelay } from '@iot/shared/contract/control/delayedControl'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'

/** A person has to watch while a protected circuit is switched. */
export const delayProtectedRefusal = '受保护的灯要当场控制，不能延时'

/** A delayed command is always asked about, because its effect is not seen at once. */
export function delayAction(
  action: ControlConfirmation,
  delayMinutes: number,
): ControlConfirmation {
  const delay = `${formatDelay(delayMinutes)}后`
  return {
    ...action,
    title: `${delay}：${action.title}`,
    okText: `${delay}执行`,
    confirm: action.confirm === 'strict' ? 'strict' : 'ask',
    delayMinutes,
  }
}
