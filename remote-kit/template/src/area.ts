import { area } from '@iot/shared/screens/area'

/** Addresses, rows of the menu and permission codes follow from the names that stand here. */
export const screens = area('sample', {
  title: '示例',
  icon: 'AppstoreOutlined',
  screens: {
    overview: {
      title: '概览',
      icon: 'DashboardOutlined',
      // Which right opens the page. Calls that are declared (`resource`, `endpoint`) may stand here instead.
      api: { list: { title: '查看概览', permission: 'sample:overview:list' } },
      roles: { 'project-admin': 'all', operator: 'read' },
    },
  },
})
