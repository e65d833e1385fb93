import { useSetAtom } from 'jotai'
import { readPageMeta } from '@iot/shared/client/pageMeta'
import { signOutAtom } from '@iot/shared/session/user'
import { AppThemeProvider } from '@iot/shared/ui/theme'
import { Button } from 'antd'
import { PasswordForm } from '../account/PasswordForm'
import * as styles from './login.module.css'

type FirstPasswordProps = { oldPassword: string; onChanged: () => void }

/** Blocks the console until the initial password from the administrator is replaced. */
export default function FirstPassword({ oldPassword, onChanged }: FirstPasswordProps) {
  const signOut = useSetAtom(signOutAtom)
  return (
    <AppThemeProvider nonce={readPageMeta('csp-nonce')}>
      <h2>设置新密码</h2>
      <p className={styles.hint}>首次登录须更换初始密码，之后用新密码登录。</p>
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
