import { area } from './area'

/** The host's own screen. What may be done on it is given with the device rights of a role (`contract/homeRights`). */
export const home = area('home', {
  title: '首页',
  icon: 'HomeOutlined',
  roles: { 'project-admin': 'all', operator: 'all', visitor: 'read' },
})
