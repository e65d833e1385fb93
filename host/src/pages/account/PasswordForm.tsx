import CheckCircleFilled from '@ant-design/icons/CheckCircleFilled'
import MinusCircleOutlined from '@ant-design/icons/MinusCircleOutlined'
import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { useAtom, useAtomValue } from 'jotai'
import { call, CallError } from '@iot/shared/client/call'
import { Password } from '@iot/shared/contract/access/auth.schema'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { responseCodes, type FieldErrors } from '@iot/shared/contract/endpoint'
import {
  defaultPasswordPolicy,
  listCheckedRules,
  listPasswordRules,
} from '@iot/shared/contract/access/passwordPolicy'
import type { PasswordPolicy } from '@iot/shared/contract/access/passwordPolicy.schema'
import { baseConfigAtom } from '@iot/shared/session/baseConfig'
import { userInfoAtom } from '@iot/shared/session/user'
import * as styles from './account.module.css'

type PasswordValues = { oldPassword: string; newPassword: string; again: string }
type PasswordFormProps = {
  /** The old password is given if the user has just signed in with it; otherwise the form asks for it. */
  oldPassword?: string
  size?: 'large'
  submitText: string
  onChanged: () => void
}

export function PasswordForm({ oldPassword, size, submitText, onChanged }: PasswordFormProps) {
  const [form] = Form.useForm<PasswordValues>()
  const [user, setUser] = useAtom(userInfoAtom)
  const policy = useAtomValue(baseConfigAtom)?.passwordRules ?? defaultPasswordPolicy
  const typedPassword = Form.useWatch('newPassword', form) ?? ''
  const { run: submitChange, loading } = useRequest(
    ({ newPassword, ...draft }: PasswordValues) =>
      call(
        authApi.changePassword,
        { oldPassword: oldPassword || draft.oldPassword, newPassword },
        { handles: [responseCodes.fields, responseCodes.refused] },
      ),
    {
      manual: true,
      onSuccess() {
        if (user) setUser({ ...user, mustChangePassword: false, passwordDue: undefined })
        onChanged()
      },
      onError(error) {
        if (!(error instanceof CallError)) return
        const fields =
          error.code === responseCodes.fields
            ? (error.data as FieldErrors).fields
            : { newPassword: error.message }
        if (error.code !== undefined)
          form.setFields(
            Object.entries(fields).map(([name, text]) => ({
              name: name as keyof PasswordValues,
              errors: [text],
            })),
          )
      },
    },
  )

  return (
    <Form<PasswordValues>
      form={form}
      layout="vertical"
      size={size}
      requiredMark={false}
      onFinish={submitChange}
    >
      <input hidden autoComplete="username" defaultValue={user?.username} />
      {!oldPassword && (
        <Form.Item
          name="oldPassword"
          label="原密码"
          rules={[{ required: true, message: '请输入原密码' }]}
        >
          <Input.Password autoFocus autoComplete="current-password" />
        </Form.Item>
      )}
      <Form.Item
        name="newPassword"
        label="新密码"
        extra={<PasswordRules password={typedPassword} username={user?.username} />}
        validateTrigger="onBlur"
        rules={[{ validator: (_, value: string) => validateNewPassword(value, policy, user) }]}
      >
        <Input.Password autoFocus={!!oldPassword} autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="again"
        label="再输一次"
        dependencies={['newPassword']}
        validateTrigger="onBlur"
        rules={[
          {
            validator: async (_, value: string) => {
              if (value !== form.getFieldValue('newPassword'))
                throw new Error('两次输入的密码不一致')
            },
          },
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Button type="primary" htmlType="submit" block loading={loading}>
        {submitText}
      </Button>
    </Form>
  )
}

/** Shows the password rules and marks those that the typed password meets. */
function PasswordRules({ password, username = '' }: { password: string; username?: string }) {
  const policy = useAtomValue(baseConfigAtom)?.passwordRules ?? defaultPasswordPolicy
  const rules = listPasswordRules(policy, { username })
  return (
    <ul className={styles.policy} aria-label="密码要求">
      {rules.map(({ text, fits }) => (
        <li key={text} aria-label={`${text}，${fits(password) ? '已满足' : '未满足'}`}>
          {fits(password) ? (
            <CheckCircleFilled style={{ color: 'var(--ant-color-success)' }} />
          ) : (
            <MinusCircleOutlined />
          )}{' '}
          {text}
        </li>
      ))}
      {/* Only the platform can check these, so they carry no mark before the form is sent. */}
      <li className={styles.checkedRules}>另须：{listCheckedRules(policy).join('，')}</li>
    </ul>
  )
}

async function validateNewPassword(
  value = '',
  policy: PasswordPolicy,
  user: { username: string } | null,
) {
  if (!value) throw new Error('请输入新密码')
  const parsed = Password.safeParse(value)
  if (!parsed.success) throw new Error(parsed.error.issues[0]?.message)
  const brokenRule = listPasswordRules(policy, user ?? {}).find(({ fits }) => !fits(value))
  if (brokenRule) throw new Error(brokenRule.refusal)
}
