import { areaText } from '../contract/areaText'
import { manufacturerApi } from '../contract/manufacturer'
import { area } from './area'

const onSite = { 'project-admin': 'all', operator: 'read' } as const

export const deviceAccess = area('deviceAccess', {
  title: areaText.deviceAccess,
  icon: 'ApiOutlined',
  screens: {
    config: {
      title: '配置',
      icon: 'SettingOutlined',
      screens: {
        manufacturer: {
          title: '厂商管理',
          icon: 'ShopOutlined',
          api: manufacturerApi,
          roles: onSite,
        },
      },
    },
  },
})
