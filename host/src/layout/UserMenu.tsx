import { IdcardOutlined, LogoutOutlined, UserOutlined } from '@ant-design/icons'
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

const ProfileDrawer = lazyPart(() => import('../pages/account/ProfileDrawer'))

export function UserMenu() {
  const user = useAtomValue(userInfoAtom)
  const signOut = useSetAtom(signOutAtom)
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)

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
              key: 'profile',
              icon: <IdcardOutlined />,
              label: '个人中心',
              onClick: () => setOpen(true),
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
      <PartBoundary onClose={close}>{isOpen && <ProfileDrawer onClose={close} />}</PartBoundary>
    </>
  )
}
