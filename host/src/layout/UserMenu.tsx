import IdcardOutlined from '@ant-design/icons/IdcardOutlined'
import InfoCircleOutlined from '@ant-design/icons/InfoCircleOutlined'
import LogoutOutlined from '@ant-design/icons/LogoutOutlined'
import UserOutlined from '@ant-design/icons/UserOutlined'
import Button from 'antd/es/button'
import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { signOutAtom, userInfoAtom } from '@iot/shared/session/user'
import { ButtonMenu } from '@iot/shared/ui/buttonMenu'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { getHeaderContainer } from './getHeaderContainer'
import * as styles from './layout.module.css'

const AboutDialog = lazyDialog(() => import('../pages/account/AboutDialog'))
const ProfileDrawer = lazyDialog(() => import('../pages/account/ProfileDrawer'))

export function UserMenu() {
  const user = useAtomValue(userInfoAtom)
  const signOut = useSetAtom(signOutAtom)
  const navigate = useNavigate()
  const [openPart, setOpenPart] = useState<'profile' | 'about' | null>(null)
  const closePart = () => setOpenPart(null)

  const logOut = async () => {
    // The token is removed from this browser even if the logout call fails.
    await call(authApi.logout, {}, { quiet: true }).catch(() => {})
    signOut()
    void navigate('/login', { replace: true })
  }

  return (
    <>
      <ButtonMenu
        getPopupContainer={getHeaderContainer}
        placement="bottomRight"
        entries={[
          {
            heading:
              user &&
              `${user.name}（${user.username}） · ${user.roles.map(({ name }) => name).join('、')}`,
          },
          { label: '个人中心', icon: <IdcardOutlined />, onClick: () => setOpenPart('profile') },
          { label: '关于', icon: <InfoCircleOutlined />, onClick: () => setOpenPart('about') },
          'divider',
          { label: '退出登录', icon: <LogoutOutlined />, onClick: logOut },
        ]}
      >
        <Button type="text" icon={<UserOutlined />} aria-label={`用户菜单，${user?.name ?? ''}`}>
          <span className={styles.wide}>{user?.name}</span>
        </Button>
      </ButtonMenu>
      {openPart === 'profile' && <ProfileDrawer onClose={closePart} />}
      {openPart === 'about' && <AboutDialog onClose={closePart} />}
    </>
  )
}
