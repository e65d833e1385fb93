import type { Role } from './role.schema'

/** Codes of the built-in roles; `platform-admin` has every permission. */
export type BuiltinRole = 'platform-admin' | 'project-admin' | 'operator' | 'visitor'
export const dataScopeText: Record<Role['dataScope'], string> = {
  all: '全部项目',
  assigned: '分配给用户的项目',
}
