import { Button, Checkbox, Form, Input } from 'antd'
import { type KeyboardEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { call, CallError, page } from '@iot/shared/client/call'
import { authApi } from '@iot/shared/contract/auth'
import {
  codes,
  type FieldErrors,
  type Input as InputOf,
  type Output,
} from '@iot/shared/contract/endpoint'
import * as styles from './login.module.css'

type Draft = InputOf<typeof authApi.login>
type LoginFormProps = {
  reason?: string
  onToken: (token: string, password: string) => Promise<void>
}

const texts = { username: '请输入账号', password: '请输入密码', captcha: '请输入图中的验证码' }

const fieldsOf = (error: unknown) =>
  error instanceof CallError && error.code === codes.fields
    ? (error.data as FieldErrors | null)?.fields
    : undefined

export function LoginForm({ reason, onToken }: LoginFormProps) {
  const [form] = Form.useForm<Draft>()
  const [refusal, setRefusal] = useState(reason)
  const [captcha, setCaptcha] = useState<Output<typeof authApi.captcha> | null>(null)
  const [needsCode, setNeedsCode] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [busy, setBusy] = useState(false)

  const renewCaptcha = () =>
    call(authApi.captcha, {}, { quiet: true }).then((renewed) => {
      // At once, so that what is wrong can be said at the field.
      flushSync(() => setCaptcha(renewed))
      // Not reset: that would make a new field and lose the focus.
      form.setFields([{ name: 'captcha', value: '', errors: [] }])
    }, refuse)

  function refuse(error: unknown) {
    if (!(error instanceof CallError)) throw error
    if (error.status === 500) return page.toUnavailable()
    const fields = fieldsOf(error)
    if (fields?.code) flushSync(() => setNeedsCode(true))
    if (fields)
      form.setFields(
        Object.entries(fields).map(([name, text]) => ({
          name: name as keyof Draft,
          errors: [text],
        })),
      )
    else setRefusal(error.message)
  }

  async function submit(draft: Draft) {
    setBusy(true)
    setRefusal(undefined)
    try {
      const { token } = await call(
        authApi.login,
        { ...draft, captchaId: captcha?.captchaId },
        { quiet: true },
      )
      await onToken(token, draft.password)
    } catch (error) {
      // A captcha serves one try.
      if (
        captcha ||
        (error instanceof CallError && (error.data as { captcha?: boolean } | null)?.captcha)
      )
        await renewCaptcha()
      refuse(error)
      const fields = fieldsOf(error)
      form.focusField(fields?.captcha ? 'captcha' : fields?.code ? 'code' : 'password')
    } finally {
      setBusy(false)
    }
  }

  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))

  return (
    <Form<Draft>
      form={form}
      layout="vertical"
      size="large"
      requiredMark={false}
      validateTrigger="onSubmit"
      onFinish={submit}
    >
      <div role="alert">{refusal && <p className={styles.refusal}>{refusal}</p>}</div>
      <Form.Item
        name="username"
        label="账号"
        rules={[{ required: true, whitespace: true, message: texts.username }]}
      >
        <Input
          autoFocus
          autoComplete="username"
          maxLength={64}
          spellCheck={false}
          autoCapitalize="none"
        />
      </Form.Item>
      <Form.Item
        name="password"
        label="密码"
        rules={[{ required: true, message: texts.password }]}
        extra={capsLock && '大写锁定已打开'}
      >
        <Input.Password
          autoComplete="current-password"
          maxLength={64}
          onKeyDown={watchCapsLock}
          onKeyUp={watchCapsLock}
          onBlur={() => setCapsLock(false)}
        />
      </Form.Item>
      {captcha && (
        <div className={styles.captcha}>
          <Form.Item
            name="captcha"
            label="验证码"
            rules={[{ required: true, message: texts.captcha }]}
          >
            <Input autoComplete="off" maxLength={8} spellCheck={false} autoCapitalize="none" />
          </Form.Item>
          <button
            type="button"
            onClick={() => void renewCaptcha().then(() => form.focusField('captcha'))}
          >
            <img alt="" src={`data:image/svg+xml;utf8,${encodeURIComponent(captcha.svg)}`} />
            换一张
          </button>
        </div>
      )}
      {needsCode && (
        <Form.Item name="code" label="动态验证码" extra="身份验证器里的 6 位数字，或一个恢复码">
          <Input autoComplete="one-time-code" maxLength={32} spellCheck={false} />
        </Form.Item>
      )}
      <Form.Item name="remember" valuePropName="checked" initialValue={false}>
        <Checkbox>记住我</Checkbox>
      </Form.Item>
      <Button type="primary" htmlType="submit" block loading={busy}>
        登录
      </Button>
    </Form>
  )
}
