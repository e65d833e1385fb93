import Drawer from 'antd/es/drawer'
import Tabs from 'antd/es/tabs'
import { useAtomValue } from 'jotai'
import { userInfoAtom } from '@iot/shared/session/user'
import { useFeedback } from '@iot/shared/ui/feedback'
import AppearanceSettings from '../../layout/AppearanceSettings'
import { MyActions } from './MyActions'
import { MySessions } from './MySessions'
import { PasswordForm } from './PasswordForm'
import { SecondFactor } from './SecondFactor'

/** Holds the user's own settings: password, second factor, sessions, actions and appearance. */
export default function ProfileDrawer({ onClose }: { onClose: () => void }) {
  const { message } = useFeedback()
  const user = useAtomValue(userInfoAtom)
  const onPasswordChanged = () => {
    void message.success('密码已修改，其他会话已下线')
    onClose()
  }
  return (
    <Drawer
      open
      title={`个人中心${user ? ` · ${user.name}` : ''}`}
      size={520}
      destroyOnHidden
      onClose={onClose}
      styles={{ body: { paddingTop: 4 } }}
    >
      <Tabs
        destroyOnHidden
        items={[
          {
            key: 'password',
            label: '修改密码',
            children: <PasswordForm submitText="保存" onChanged={onPasswordChanged} />,
          },
          { key: 'secondFactor', label: '两步验证', children: <SecondFactor /> },
          { key: 'sessions', label: '我的会话', children: <MySessions /> },
          { key: 'actions', label: '我的操作', children: <MyActions /> },
          { key: 'looks', label: '外观和按钮', children: <AppearanceSettings /> },
        ]}
      />
    </Drawer>
  )
}
