import { useSetAtom } from 'jotai'
import { readPageMeta } from '@iot/shared/client/pageMeta'
import type { PasswordDueReason } from '@iot/shared/contract/access/auth.schema'
import { signOutAtom } from '@iot/shared/session/user'
import { AppThemeProvider } from '@iot/shared/ui/theme'
import Button from 'antd/es/button'
import { PasswordForm } from '../account/PasswordForm'
import * as styles from './login.module.css'

type FirstPasswordProps = {
  reason: PasswordDueReason
  oldPassword: string
  onChanged: () => void
}

const reasonTexts: Record<PasswordDueReason, string> = {
  initial: '首次登录须更换初始密码，之后用新密码登录。',
  expired: '密码已到平台规定的有效期，须更换后才能继续。',
  common: '现在的密码太常见，容易被猜中，须更换后才能继续。',
}

/** Blocks the console until a password that is due for a change is replaced. */
export default function FirstPassword({ reason, oldPassword, onChanged }: FirstPasswordProps) {
  const signOut = useSetAtom(signOutAtom)
  return (
    <AppThemeProvider nonce={readPageMeta('csp-nonce')}>
      <h2>设置新密码</h2>
      <p className={styles.hint}>{reasonTexts[reason]}</p>
      <PasswordForm
        oldPassword={oldPassword}
        size="large"
        submitText="保存并进入"
        onChanged={onChanged}
      />
      <Button type="link" block style={{ marginTop: 8 }} onClick={() => signOut()}>
        换一个账号登录
      </Button>
    </AppThemeProvider>
  )
}
