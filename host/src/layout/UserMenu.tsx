import { DesktopOutlined, KeyOutlined, LogoutOutlined, UserOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { authApi } from '@iot/shared/contract/auth'
import { signOutAtom, userInfoAtom } from '@iot/shared/session/user'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { inHeader } from './inHeader'
import { PartBoundary } from './PartBoundary'
import * as styles from './layout.module.css'

const SessionsDrawer = lazyPart(() => import('../pages/account/SessionsDrawer'))
const PasswordModal = lazyPart(() => import('../pages/account/PasswordModal'))

export function UserMenu() {
  const user = useAtomValue(userInfoAtom)
  const signOut = useSetAtom(signOutAtom)
  const navigate = useNavigate()
  const [open, setOpen] = useState<'sessions' | 'password' | null>(null)
  const close = () => setOpen(null)

  const leave = async () => {
    // The token goes from this browser whatever the platform answers.
    await call(authApi.logout, {}, { quiet: true }).catch(() => {})
    signOut()
    void navigate('/login', { replace: true })
  }

  return (
    <>
      <Dropdown
        trigger={['click']}
        getPopupContainer={inHeader}
        placement="bottomRight"
        menu={{
          items: [
            {
              key: 'who',
              type: 'group',
              label:
                user &&
                `${user.name}（${user.username}） · ${user.roles.map(({ name }) => name).join('、')}`,
            },
            {
              key: 'sessions',
              icon: <DesktopOutlined />,
              label: '我的会话',
              onClick: () => setOpen('sessions'),
            },
            {
              key: 'password',
              icon: <KeyOutlined />,
              label: '修改密码',
              onClick: () => setOpen('password'),
            },
            { type: 'divider' },
            {
              key: 'leave',
              icon: <LogoutOutlined />,
              label: '退出登录',
              onClick: () => void leave(),
            },
          ],
        }}
      >
        <Button type="text" icon={<UserOutlined />} aria-label={`用户菜单，${user?.name ?? ''}`}>
          <span className={styles.wide}>{user?.name}</span>
        </Button>
      </Dropdown>
      <PartBoundary onClose={close}>
        {open === 'sessions' && <SessionsDrawer onClose={close} />}
        {open === 'password' && <PasswordModal onClose={close} />}
      </PartBoundary>
    </>
  )
}
