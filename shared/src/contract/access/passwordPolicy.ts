import type { PasswordPolicy } from './passwordPolicy.schema'

/** Limits of the policy; a password of 64 characters is the longest that the forms accept. */
export const passwordLimits = {
  minLength: { min: 8, max: 32 },
  history: { max: 10 },
  maxAgeDays: { max: 3650 },
}

export const defaultPasswordPolicy: PasswordPolicy = { minLength: 8, history: 0, maxAgeDays: 0 }

const maxLength = 64
type Owner = { username?: string }
export type PasswordRule = {
  text: string
  /** Message at the field if the password breaks the rule. */
  refusal: string
  fits: (value: string) => boolean
}

/** Lists the rules that need nothing but the password and its owner, so that a form can show them while one types. */
export const listPasswordRules = (
  { minLength }: PasswordPolicy,
  { username = '' }: Owner,
): PasswordRule[] => [
  {
    text: `${minLength}–${maxLength} 位`,
    refusal: `密码须为 ${minLength}–${maxLength} 位`,
    fits: (value) => value.length >= minLength && value.length <= maxLength,
  },
  {
    text: '含字母',
    refusal: '密码须同时含字母和数字',
    fits: (value) => /[A-Za-z]/.test(value),
  },
  { text: '含数字', refusal: '密码须同时含字母和数字', fits: (value) => /\d/.test(value) },
  {
    text: '不含账号',
    refusal: '密码不能包含账号',
    fits: (value) =>
      value !== '' && (username === '' || !value.toLowerCase().includes(username.toLowerCase())),
  },
]

/** Lists the rules that only the platform can check, for hints below the field. */
export const listCheckedRules = ({ history }: PasswordPolicy) => [
  '不是常见密码',
  history > 1 ? `与最近用过的 ${history} 个密码不同` : '与原密码不同',
]

/** Describes the whole policy in one line. */
export const describePasswordPolicy = (policy: PasswordPolicy) =>
  [
    `至少 ${policy.minLength} 位，须同时含字母和数字`,
    '不含账号',
    ...listCheckedRules(policy),
    ...(policy.maxAgeDays > 0 ? [`每 ${policy.maxAgeDays} 天更换`] : []),
  ].join('，')
