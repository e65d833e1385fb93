import { redirect, type RouteObject } from 'react-router-dom'
import { floorSegment, paths } from '@iot/shared/screens/paths'
import { detail, screen, subPage, type RemoteRoute } from '@iot/shared/screens/route'
import { system } from '@iot/shared/screens/system'

export const area: object = system
export const routes: RouteObject[] = [
  { index: true, loader: () => redirect(paths.system.menu()) },
  screen(system.menu, () => import('./pages/menu/MenuPage')),
  screen(system.alarm.incident, () => import('./pages/alarm/IncidentPage')),
  detail(system.alarm.incident, '告警详情', () => import('./pages/alarm/IncidentDetailPage')),
  screen(system.alarm.rule, () => import('./pages/alarm/RulePage')),
  screen(system.log.loginLog, () => import('./pages/log/LoginLogPage')),
  screen(system.log.actionLog, () => import('./pages/log/ActionLogPage')),
  screen(system.log.errorLog, () => import('./pages/log/ErrorLogPage')),
  screen(system.backup, () => import('./pages/backup/BackupPage')),
  screen(system.alarm.channel, () => import('./pages/alarm/ChannelPage')),
  screen(system.alarm.policy, () => import('./pages/alarm/PolicyPage')),
  screen(system.network, () => import('./pages/network/NetworkPage')),
  detail(system.network, '客户端详情', () => import('./pages/network/ClientDetailPage')),
  screen(system.dictionary, () => import('./pages/dictionary/DictionaryPage')),
  screen(system.platformSettings, () => import('./pages/platformSettings/PlatformSettingsPage')),
  screen(system.project, () => import('./pages/project/ProjectPage')),
  detail(system.project, '项目详情', () => import('./pages/project/ProjectDetailPage')),
  subPage(
    system.project,
    `${floorSegment}/:id`,
    '楼层详情',
    () => import('./pages/project/FloorPage'),
  ),
  screen(system.mapEngineering, () => import('./pages/mapEngineering/MapEngineeringPage')),
] satisfies RemoteRoute[]
