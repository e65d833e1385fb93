import { area } from '@iot/shared/screens/area'

/** Addresses, menu rows and permission codes derive from these names. */
export const screens = area('sample', {
  title: '示例',
  icon: 'AppstoreOutlined',
  screens: {
    overview: {
      title: '概览',
      icon: 'DashboardOutlined',
      // The permission opens the page. Declared calls (`resource`, `endpoint`) may be used here instead.
      api: { list: { title: '查看概览', permission: 'sample:overview:list' } },
      roles: { 'project-admin': 'all', operator: 'read' },
    },
  },
})
