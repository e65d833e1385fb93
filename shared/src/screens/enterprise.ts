import { remoteTitleText } from '../contract/release/remoteTitle'
import { calendarApi, holidayApi } from '../contract/project/calendar.api'
import { roleApi } from '../contract/access/role.api'
import { userApi } from '../contract/access/user.api'
import { area } from './area'

export const enterprise = area('enterprise', {
  title: remoteTitleText.enterprise,
  icon: 'TeamOutlined',
  screens: {
    user: { title: '用户管理', icon: 'UserOutlined', api: [userApi, roleApi] },
    holiday: {
      title: '节假日管理',
      icon: 'CalendarOutlined',
      api: [calendarApi, holidayApi],
      roles: { 'project-admin': 'all', operator: 'read' },
    },
  },
})
