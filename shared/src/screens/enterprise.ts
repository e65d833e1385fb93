import { areaText } from '../contract/areaText'
import { roleApi } from '../contract/role'
import { userApi } from '../contract/user'
import { area } from './area'

export const enterprise = area('enterprise', {
  title: areaText.enterprise,
  icon: 'TeamOutlined',
  screens: {
    user: { title: '用户管理', icon: 'UserOutlined', api: [userApi, roleApi] },
  },
})
