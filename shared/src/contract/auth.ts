/** Password rules one by one, for hints while a new password is typed. */
export const passwordRules = [
  { text: '8–64 位', fits: (value: string) => value.length >= 8 && value.length <= 64 },
  { text: '含字母', fits: (value: string) => /[A-Za-z]/.test(value) },
  { text: '含数字', fits: (value: string) => /\d/.test(value) },
]
