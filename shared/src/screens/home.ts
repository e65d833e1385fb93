import { area } from './area'

/**
 * The home page belongs to the host. Its operations are granted by the device permissions of a role
 * (`contract/devicePermissions`).
 */
export const home = area('home', {
  title: '首页',
  icon: 'HomeOutlined',
  roles: { 'project-admin': 'all', operator: 'all', visitor: 'read' },
})
