import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { seedPrefetch, call } from '@iot/shared/client/call'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { icpRegisterUrl } from '@iot/shared/contract/platform/icp'
import { toFileUrl } from '@iot/shared/contract/platform/siteAddress'
import { baseConfigAtom } from '@iot/shared/session/baseConfig'
import { menuAtom } from '@iot/shared/session/permission'
import { systemAtom } from '@iot/shared/session/system'
import { tokenAtom, userInfoAtom } from '@iot/shared/session/user'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { usePageTitle } from '../../usePageTitle'
import { ProductLogo } from '../../layout/ProductLogo'
import { LoginForm } from './LoginForm'
import { Skyline } from './Skyline'
import * as styles from './login.module.css'

const FirstPassword = lazyPart(() => import('./FirstPassword'))
const RequiredSecondFactor = lazyPart(() => import('./RequiredSecondFactor'))

type LoginPageProps = {
  /** The last session ended for this reason, which is shown until the next attempt. */
  reason?: string
  onSignedIn: () => void
}

export function LoginPage({ reason, onSignedIn }: LoginPageProps) {
  const system = useAtomValue(systemAtom)
  const baseConfig = useAtomValue(baseConfigAtom)
  const { slogon, loginLogo, loginBg } = { ...system, ...baseConfig }
  usePageTitle('登录')
  const [token, setToken] = useAtom(tokenAtom)
  const [user, setUser] = useAtom(userInfoAtom)
  const setMenu = useSetAtom(menuAtom)
  // The password is kept in memory only, so that the change of the initial password need not ask for it again.
  const [initialPassword, setInitialPassword] = useState('')

  const signIn = async (token: string, password: string) => {
    setToken(token)
    const me = await call(authApi.me, {})
    const { user, menu } = me
    setMenu(menu)
    setUser(user)
    if (user.mustChangePassword) return setInitialPassword(password)
    if (user.mustEnrolSecondFactor) return
    seedPrefetch(authApi.me, {}, me)
    onSignedIn()
  }

  const finishPasswordChange = () => {
    // The second duty is shown by this page as soon as the first one is done.
    if (!user?.mustEnrolSecondFactor) onSignedIn()
  }
  const finishEnrolment = () => {
    if (user) setUser({ ...user, mustEnrolSecondFactor: false })
    onSignedIn()
  }

  return (
    <main
      className={styles.login}
      style={
        loginBg ? { backgroundImage: `url(${JSON.stringify(toFileUrl(loginBg))})` } : undefined
      }
    >
      <section className={styles.brand} aria-hidden>
        {!loginBg && <Skyline />}
        <p className={styles.slogon}>{slogon}</p>
      </section>
      <section className={styles.side}>
        <div className={styles.card}>
          <header className={styles.head}>
            {loginLogo || system.logo ? (
              <img src={toFileUrl(loginLogo || system.logo)} alt="" height={40} />
            ) : (
              <ProductLogo />
            )}
            <div>
              <h1>{system.name}</h1>
              <p>{slogon}</p>
            </div>
          </header>
          {token !== null && user?.mustChangePassword ? (
            <FirstPassword
              reason={user.passwordDue ?? 'initial'}
              oldPassword={initialPassword}
              onChanged={finishPasswordChange}
            />
          ) : token !== null && user?.mustEnrolSecondFactor ? (
            <RequiredSecondFactor onEnrolled={finishEnrolment} />
          ) : (
            <LoginForm
              reason={reason}
              needsCaptcha={baseConfig?.captcha === true}
              onToken={signIn}
            />
          )}
        </div>
        {baseConfig?.icp && (
          <footer className={styles.foot}>
            <a href={icpRegisterUrl} target="_blank" rel="noopener noreferrer">
              {baseConfig.icp}
            </a>
          </footer>
        )}
      </section>
    </main>
  )
}
