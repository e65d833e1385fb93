import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { call, CallError, page } from '@iot/shared/client/call'
import { authApi } from '@iot/shared/contract/auth'
import { codes, type FieldErrors, type Output } from '@iot/shared/contract/endpoint'
import { Button } from '../../plain/Button'
import { Field } from '../../plain/Field'
import * as plain from '../../plain/plain.module.css'
import * as styles from './login.module.css'

type LoginFormProps = {
  reason?: string
  onToken: (token: string, password: string) => Promise<void>
}

const missing = {
  username: '请输入账号',
  password: '请输入密码',
  captcha: '请输入图中的验证码',
}
type Name = keyof typeof missing | 'code'
type Errors = Partial<Record<Name, string>>

const fieldsOf = (error: unknown) =>
  error instanceof CallError && error.code === codes.fields
    ? (error.data as FieldErrors | null)?.fields
    : undefined

/** Renders without antd, so that the login page does not wait for its code. */
export function LoginForm({ reason, onToken }: LoginFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [refusal, setRefusal] = useState(reason)
  const [errors, setErrors] = useState<Errors>({})
  const [captcha, setCaptcha] = useState<Output<typeof authApi.captcha> | null>(null)
  const [needsCode, setNeedsCode] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [busy, setBusy] = useState(false)

  const input = (name: Name) => form.current?.elements.namedItem(name) as HTMLInputElement | null

  const renewCaptcha = () =>
    call(authApi.captcha, {}, { quiet: true }).then((renewed) => {
      // The update is flushed at once, so that the error can be shown at the field.
      flushSync(() => setCaptcha(renewed))
      setErrors(({ captcha: _, ...others }) => others)
      const field = input('captcha')
      if (field) field.value = ''
    }, refuse)

  function refuse(error: unknown) {
    if (!(error instanceof CallError)) throw error
    if (error.status === 500) return page.toUnavailable()
    const fields = fieldsOf(error)
    if (fields?.code) flushSync(() => setNeedsCode(true))
    if (fields) setErrors(fields)
    else setRefusal(error.message)
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    // The values are read at submit, because autofill does not fire events reliably.
    const typed = new FormData(event.currentTarget)
    const text = (name: Name) => String(typed.get(name) ?? '')
    const absent = (
      ['username', 'password', ...(captcha ? (['captcha'] as const) : [])] as const
    ).filter((name) => !(name === 'password' ? text(name) : text(name).trim()))
    setErrors(Object.fromEntries(absent.map((name) => [name, missing[name]])))
    if (absent[0]) return input(absent[0])?.focus()

    setBusy(true)
    setRefusal(undefined)
    const password = text('password')
    try {
      const { token } = await call(
        authApi.login,
        {
          username: text('username'),
          password,
          remember: typed.has('remember'),
          ...(needsCode && { code: text('code') }),
          ...(captcha && {
            captcha: text('captcha'),
            captchaId: captcha.captchaId,
          }),
        },
        { quiet: true },
      )
      await onToken(token, password)
    } catch (error) {
      // Each captcha is valid for one attempt.
      if (
        captcha ||
        (error instanceof CallError && (error.data as { captcha?: boolean } | null)?.captcha)
      )
        await renewCaptcha()
      refuse(error)
      const fields = fieldsOf(error)
      input(fields?.captcha ? 'captcha' : fields?.code ? 'code' : 'password')?.focus()
    } finally {
      setBusy(false)
    }
  }

  /** Clears the error of a field when the user edits it. */
  const forget = ({ target }: FormEvent) =>
    setErrors(({ [(target as HTMLInputElement).name as Name]: _, ...others }) => others)
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))

  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} onInput={forget}>
      <div role="alert">{refusal && <p className={styles.refusal}>{refusal}</p>}</div>
      <Field
        name="username"
        label="账号"
        error={errors.username}
        autoFocus
        autoComplete="username"
        maxLength={64}
      />
      <Field
        name="password"
        label="密码"
        type="password"
        error={errors.password}
        note={capsLock ? '大写锁定已打开' : undefined}
        autoComplete="current-password"
        maxLength={64}
        onKeyDown={watchCapsLock}
        onKeyUp={watchCapsLock}
        onBlur={() => setCapsLock(false)}
      />
      {captcha && (
        <div className={styles.captcha}>
          <Field
            name="captcha"
            label="验证码"
            error={errors.captcha}
            autoComplete="off"
            maxLength={8}
          />
          <button
            type="button"
            onClick={() => void renewCaptcha().then(() => input('captcha')?.focus())}
          >
            <img alt="" src={`data:image/svg+xml;utf8,${encodeURIComponent(captcha.svg)}`} />
            换一张
          </button>
        </div>
      )}
      {needsCode && (
        <Field
          name="code"
          label="动态验证码"
          error={errors.code}
          note="身份验证器里的 6 位数字，或一个恢复码"
          autoComplete="one-time-code"
          maxLength={32}
        />
      )}
      <label className={plain.check}>
        <input type="checkbox" name="remember" />
        记住我
      </label>
      <Button type="submit" primary block busy={busy}>
        登录
      </Button>
    </form>
  )
}
