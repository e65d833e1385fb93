import { actionLogApi } from '../contract/actionLog'
import { areaText } from '../contract/areaText'
import { menuApi } from '../contract/menu'
import { releaseApi } from '../contract/releaseCenter'
import { area } from './area'

export const system = area('system', {
  title: areaText.system,
  icon: 'ControlOutlined',
  screens: {
    menu: { title: '菜单管理', icon: 'MenuOutlined', api: menuApi },
    log: {
      title: '日志',
      icon: 'FileTextOutlined',
      screens: {
        actionLog: { title: '操作日志', icon: 'AuditOutlined', api: actionLogApi },
      },
    },
    release: { title: '发布管理', icon: 'RocketOutlined', api: releaseApi },
  },
})
