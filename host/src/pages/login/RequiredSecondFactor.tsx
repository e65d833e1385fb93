import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { readPageMeta } from '@iot/shared/client/pageMeta'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { signOutAtom } from '@iot/shared/session/user'
import { AppThemeProvider } from '@iot/shared/ui/theme'
import { EnrolmentForm } from '../account/EnrolmentForm'
import { RecoveryCodes } from '../account/RecoveryCodes'
import * as styles from './login.module.css'

/** Blocks the console until a user whose role requires a second factor has enabled it. */
export default function RequiredSecondFactor({ onEnrolled }: { onEnrolled: () => void }) {
  const signOut = useSetAtom(signOutAtom)
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>()
  // A page that was reloaded while it showed the recovery codes still remembers the duty that is done.
  useRequest(() => call(authApi.me, {}, { quiet: true }), {
    onSuccess({ user }) {
      if (!user.mustEnrolSecondFactor) onEnrolled()
    },
  })
  return (
    <AppThemeProvider nonce={readPageMeta('csp-nonce')}>
      <h2>开启两步验证</h2>
      <p className={styles.hint}>
        您的角色必须使用两步验证。开启后，登录除密码外还要输入手机上身份验证器显示的 6 位数字。
      </p>
      {recoveryCodes ? (
        <RecoveryCodes codes={recoveryCodes} onStored={onEnrolled} />
      ) : (
        <EnrolmentForm
          onEnrolled={(answer) => setRecoveryCodes(answer.recoveryCodes)}
          onCancel={() => signOut()}
        />
      )}
      {!recoveryCodes && (
        <Button type="link" block style={{ marginTop: 8 }} onClick={() => signOut()}>
          换一个账号登录
        </Button>
      )}
    </AppThemeProvider>
  )
}
