import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { call, CallError, failureHandlers } from '@iot/shared/client/call'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { responseCodes, type FieldErrors, type Output } from '@iot/shared/contract/endpoint'
import { Button } from '../../lite/Button'
import { Field } from '../../lite/Field'
import * as liteStyles from '../../lite/lite.module.css'
import { removeEarlyField } from './earlyField'
import * as styles from './login.module.css'
import { reportError } from '../errors/reportError'

type LoginFormProps = {
  reason?: string
  /** The platform asks for a captcha from the first attempt. */
  needsCaptcha: boolean
  onToken: (token: string, password: string) => Promise<void>
}

const requiredTexts = {
  username: '请输入账号',
  password: '请输入密码',
  captcha: '请输入图中的验证码',
}
type FieldName = keyof typeof requiredTexts | 'code'
type ErrorTexts = Partial<Record<FieldName, string>>

const getFieldErrors = (error: unknown) =>
  error instanceof CallError && error.code === responseCodes.fields
    ? (error.data as FieldErrors | null)?.fields
    : undefined

const getText = (formData: FormData, name: FieldName) => String(formData.get(name) ?? '')

function listMissingFields(formData: FormData, hasCaptcha: boolean) {
  const requiredFields = [
    'username',
    'password',
    ...(hasCaptcha ? (['captcha'] as const) : []),
  ] as const
  return requiredFields.filter((name) => {
    const text = getText(formData, name)
    return !(name === 'password' ? text : text.trim())
  })
}

const readCredentials = (formData: FormData, hasCode: boolean, captchaId?: string) => ({
  username: getText(formData, 'username'),
  password: getText(formData, 'password'),
  remember: formData.has('remember'),
  ...(hasCode && { code: getText(formData, 'code') }),
  ...(captchaId !== undefined && { captcha: getText(formData, 'captcha'), captchaId }),
})

/** Puts what was typed before this form was there into its first field. */
function useEarlyText(form: RefObject<HTMLFormElement | null>) {
  useLayoutEffect(() => {
    const earlyText = removeEarlyField()
    const field = form.current?.elements.namedItem('username') as HTMLInputElement | null
    if (field && earlyText) field.value = earlyText
  }, [form])
}

/** Renders without antd, so that the login page does not wait for its code. */
export function LoginForm({ reason, needsCaptcha, onToken }: LoginFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [refusal, setRefusal] = useState(reason)
  const [errors, setErrors] = useState<ErrorTexts>({})
  const [captcha, setCaptcha] = useState<Output<typeof authApi.captcha> | null>(null)
  const [needsCode, setNeedsCode] = useState(false)
  const [isSubmitting, setSubmitting] = useState(false)
  useEarlyText(form)

  const getInput = (name: FieldName) =>
    form.current?.elements.namedItem(name) as HTMLInputElement | null

  const renewCaptcha = () =>
    call(authApi.captcha, {}, { quiet: true }).then((newCaptcha) => {
      // The update is flushed at once, so that the error can be shown at the field.
      flushSync(() => setCaptcha(newCaptcha))
      setErrors(({ captcha: _, ...others }) => others)
      const field = getInput('captcha')
      if (field) field.value = ''
    }, showRefusal)

  function showRefusal(error: unknown) {
    if (!(error instanceof CallError)) throw error
    if (error.status === 500) return failureHandlers.toUnavailable()
    const fields = getFieldErrors(error)
    if (fields?.code) flushSync(() => setNeedsCode(true))
    if (fields) setErrors(fields)
    else setRefusal(error.message)
  }

  const loadFirstCaptcha = useEffectEvent(() => {
    if (needsCaptcha && !captcha) void renewCaptcha().catch(reportError)
  })
  useEffect(() => loadFirstCaptcha(), [needsCaptcha])

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSubmitting) return
    // The values are read at submit, because autofill does not fire events reliably.
    const formData = new FormData(event.currentTarget)
    const missingFields = listMissingFields(formData, captcha !== null)
    setErrors(Object.fromEntries(missingFields.map((name) => [name, requiredTexts[name]])))
    if (missingFields[0]) return getInput(missingFields[0])?.focus()

    setSubmitting(true)
    setRefusal(undefined)
    const credentials = readCredentials(formData, needsCode, captcha?.captchaId)
    try {
      const { token } = await call(authApi.login, credentials, { quiet: true })
      await onToken(token, credentials.password)
    } catch (error) {
      // Each captcha is valid for one attempt.
      if (
        captcha ||
        (error instanceof CallError && (error.data as { captcha?: boolean } | null)?.captcha)
      )
        await renewCaptcha()
      showRefusal(error)
      const fields = getFieldErrors(error)
      getInput(fields?.captcha ? 'captcha' : fields?.code ? 'code' : 'password')?.focus()
    } finally {
      setSubmitting(false)
    }
  }

  /** Clears the error of a field when the user edits it. */
  const clearFieldError = ({ target }: FormEvent) =>
    setErrors(({ [(target as HTMLInputElement).name as FieldName]: _, ...others }) => others)

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => void submit(event).catch(reportError)}
      onInput={clearFieldError}
    >
      <div role="alert">{refusal && <p className={styles.refusal}>{refusal}</p>}</div>
      <Field
        name="username"
        label="账号"
        error={errors.username}
        autoFocus
        autoComplete="username"
        maxLength={64}
      />
      <PasswordField error={errors.password} />
      {captcha && (
        <CaptchaField
          svg={captcha.svg}
          error={errors.captcha}
          onRenew={() =>
            void renewCaptcha()
              .then(() => getInput('captcha')?.focus())
              .catch(reportError)
          }
        />
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
      <label className={liteStyles.check}>
        <input type="checkbox" name="remember" />
        记住我
      </label>
      <Button type="submit" primary block busy={isSubmitting}>
        登录
      </Button>
    </form>
  )
}

/** Warns while caps lock is on. */
function PasswordField({ error }: { error?: string }) {
  const [isCapsLockOn, setCapsLockOn] = useState(false)
  const watchCapsLock = (event: KeyboardEvent) => setCapsLockOn(event.getModifierState('CapsLock'))
  return (
    <Field
      name="password"
      label="密码"
      type="password"
      error={error}
      note={isCapsLockOn ? '大写锁定已打开' : undefined}
      autoComplete="current-password"
      maxLength={64}
      onKeyDown={watchCapsLock}
      onKeyUp={watchCapsLock}
      onBlur={() => setCapsLockOn(false)}
    />
  )
}

type CaptchaFieldProps = { svg: string; error?: string; onRenew: () => void }

const CaptchaField = ({ svg, error, onRenew }: CaptchaFieldProps) => (
  <div className={styles.captcha}>
    <Field name="captcha" label="验证码" error={error} autoComplete="off" maxLength={8} />
    <button type="button" onClick={onRenew}>
      <img alt="" src={`data:image/svg+xml;utf8,${encodeURIComponent(svg)}`} />
      换一张
    </button>
  </div>
)
