import Tag from 'antd/es/tag'
import { userStateText } from '@iot/shared/contract/access/user'
import type { User } from '@iot/shared/contract/access/user.schema'

const stateColors: Record<Exclude<User['state'], 'normal'>, string> = {
  disabled: 'default',
  locked: 'error',
  expired: 'warning',
}

/** Only a state other than normal stands out. */
export const UserStateText = ({ state }: Pick<User, 'state'>) =>
  state === 'normal' ? (
    userStateText[state]
  ) : (
    <Tag color={stateColors[state]}>{userStateText[state]}</Tag>
  )
