import { actionLogApi } from '../contract/access/actionLog.api'
import { alarmRuleApi } from '../contract/alarm/alarmRule.api'
import { backupApi } from '../contract/platform/backup.api'
import { incidentApi, maintenanceWindowApi } from '../contract/alarm/incident.api'
import { dictionaryApi } from '../contract/platform/dictionary.api'
import { remoteTitleText } from '../contract/release/remoteTitle'
import { errorLogApi } from '../contract/platform/errorLog.api'
import { exampleDataApi } from '../contract/project/exampleData.api'
import { loginLogApi } from '../contract/access/loginLog.api'
import { managedProjectApi } from '../contract/project/managedProject.api'
import { mapEngineeringApi } from '../contract/project/mapEngineering.api'
import { menuApi } from '../contract/access/menu.api'
import { networkApi } from '../contract/device/network.api'
import { platformSettingsApi } from '../contract/platform/platformSettings.api'
import { notificationChannelApi } from '../contract/alarm/notificationChannel.api'
import { notificationDeliveryApi } from '../contract/alarm/notificationDelivery.api'
import { notificationPolicyApi } from '../contract/alarm/notificationPolicy.api'
import { snapshotApi } from '../contract/control/snapshot.api'
import { spaceApi } from '../contract/project/space.api'
import { area } from './area'

export const system = area('system', {
  title: remoteTitleText.system,
  icon: 'ControlOutlined',
  screens: {
    menu: { title: '菜单管理', icon: 'MenuOutlined', api: menuApi },
    alarm: {
      title: '告警',
      icon: 'AlertOutlined',
      screens: {
        incident: {
          title: '告警列表',
          icon: 'BellOutlined',
          api: incidentApi,
          roles: { 'project-admin': 'all', operator: 'all', visitor: 'read' },
        },
        rule: {
          title: '告警规则',
          icon: 'DashboardOutlined',
          api: [alarmRuleApi, maintenanceWindowApi],
          roles: { 'project-admin': 'all', operator: 'read' },
        },
        channel: {
          title: '通知渠道',
          icon: 'SendOutlined',
          api: [notificationChannelApi, notificationDeliveryApi],
        },
        policy: { title: '通知策略', icon: 'NotificationOutlined', api: notificationPolicyApi },
      },
    },
    log: {
      title: '日志',
      icon: 'FileTextOutlined',
      screens: {
        loginLog: { title: '登录日志', icon: 'LoginOutlined', api: loginLogApi },
        actionLog: { title: '操作日志', icon: 'AuditOutlined', api: actionLogApi },
        errorLog: { title: '错误日志', icon: 'BugOutlined', api: errorLogApi },
      },
    },
    project: {
      title: '项目管理',
      icon: 'BankOutlined',
      api: [managedProjectApi, spaceApi, snapshotApi],
      roles: { 'project-admin': 'own', operator: 'read' },
    },
    mapEngineering: { title: '地图工程', icon: 'EnvironmentOutlined', api: mapEngineeringApi },
    network: { title: '网络组件', icon: 'CloudServerOutlined', api: networkApi },
    dictionary: { title: '字典', icon: 'BookOutlined', api: dictionaryApi },
    platformSettings: {
      title: '平台设置',
      icon: 'ToolOutlined',
      api: [platformSettingsApi, exampleDataApi],
    },
    backup: { title: '备份', icon: 'SaveOutlined', api: backupApi },
  },
})
