import * as z from '../zod'

export const PasswordPolicy = z.object({
  minLength: z.number().int(),
  /** A new password differs from this many former ones; 0 compares with the present one alone. */
  history: z.number().int(),
  /** Days after which a password must be changed at sign-in; 0 for never. */
  maxAgeDays: z.number().int(),
})
export type PasswordPolicy = z.infer<typeof PasswordPolicy>
