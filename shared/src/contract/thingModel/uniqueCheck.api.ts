import { defineApi } from '../endpoint'
import type { uniqueCheckSchemas } from './uniqueCheck.schema'

/** Uniqueness check while a user types. */
export const uniqueCheckApi = defineApi<typeof uniqueCheckSchemas>({
  /** Returns the error message or null. `within` is the other field of a combined uniqueness, such as the parent. */
  ask: {
    method: 'GET',
    path: '/v1/taken',
    title: '查重',
    permission: 'session',
  },
})
