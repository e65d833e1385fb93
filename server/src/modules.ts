import type { FastifyInstance } from 'fastify'
import { brokerHookRoutes } from './device-access/broker/brokerHookRoutes'
import { deviceFileRoutes } from './device-access/commands/deviceFileRoutes'
import { registrationRoutes } from './device-access/registration/registrationRoutes'
import { aboutRoutes } from './modules/about/routes'
import { actionLogRoutes } from './modules/actionLog/routes'
import { authRoutes } from './modules/auth/routes'
import { backupRoutes } from './modules/backup/routes'
import { baseConfigRoutes } from './modules/baseConfig/routes'
import { brandRoutes } from './modules/brand/routes'
import { calendarRoutes } from './modules/calendar/routes'
import { categoryRoutes } from './modules/category/routes'
import { communicationProtocolRoutes } from './modules/communicationProtocol/routes'
import { alarmRuleRoutes } from './modules/alarm/ruleRoutes'
import { incidentRoutes } from './modules/alarm/incidentRoutes'
import { maintenanceWindowRoutes } from './modules/alarm/windowRoutes'
import { delayedControlRoutes } from './modules/control/delayedControlRoutes'
import { approvalRoutes } from './modules/control/approvalRoutes'
import { holdRoutes } from './modules/control/holdRoutes'
import { overrideRoutes } from './modules/control/overrideRoutes'
import { controlRoutes } from './modules/control/routes'
import { controlTypeRoutes } from './modules/controlType/routes'
import { deviceGroupRoutes } from './modules/deviceGroup/routes'
import { deviceRoutes } from './modules/device/plan/routes'
import { dictionaryRoutes } from './modules/dictionary/routes'
import { edgeHostRoutes } from './modules/device/edgeHost/routes'
import { energyRoutes } from './modules/energy/routes'
import { errorLogRoutes } from './modules/errorLog/routes'
import { exampleDataRoutes } from './modules/exampleData/routes'
import { healthRoutes } from './modules/health/routes'
import { iconRoutes } from './modules/icon/routes'
import { liveRoutes } from './modules/live/routes'
import { loginLogRoutes } from './modules/loginLog/routes'
import { managedDeviceRoutes } from './modules/device/routes'
import { manufacturerRoutes } from './modules/manufacturer/routes'
import { mapEngineeringRoutes } from './modules/mapEngineering/routes'
import { menuRoutes } from './modules/menu/routes'
import { networkRoutes } from './modules/network/routes'
import { platformSettingsRoutes } from './modules/platformSettings/routes'
import { notificationRoutes } from './modules/notification/routes'
import { productTypeRoutes } from './modules/productType/routes'
import { productRoutes } from './modules/product/routes'
import { projectRoutes } from './modules/project/routes'
import { registrationModuleRoutes } from './modules/registration/routes'
import { releaseRoutes } from './modules/release/routes'
import { startRetention } from './modules/retention/retention'
import { roleRoutes } from './modules/role/routes'
import { sceneRoutes } from './modules/scene/routes'
import { secondFactorRoutes } from './modules/secondFactor/routes'
import { handoverRoutes } from './modules/shift/handoverRoutes'
import { shiftRoutes } from './modules/shift/routes'
import { snapshotRoutes } from './modules/snapshot/routes'
import { spaceRoutes } from './modules/space/routes'
import { uniqueCheckRoutes } from './modules/uniqueCheck/routes'
import { taskRoutes } from './modules/task/routes'
import { uploadRoutes } from './modules/upload/routes'
import { userRoutes } from './modules/user/routes'
import { viewRoutes } from './modules/view/routes'

/** A new server module adds its line here. */
export const modules: ((app: FastifyInstance) => void | Promise<void>)[] = [
  aboutRoutes,
  alarmRuleRoutes,
  incidentRoutes,
  maintenanceWindowRoutes,
  actionLogRoutes,
  authRoutes,
  secondFactorRoutes,
  backupRoutes,
  baseConfigRoutes,
  brandRoutes,
  brokerHookRoutes,
  calendarRoutes,
  categoryRoutes,
  communicationProtocolRoutes,
  approvalRoutes,
  controlRoutes,
  delayedControlRoutes,
  holdRoutes,
  overrideRoutes,
  controlTypeRoutes,
  deviceFileRoutes,
  deviceGroupRoutes,
  deviceRoutes,
  dictionaryRoutes,
  edgeHostRoutes,
  energyRoutes,
  errorLogRoutes,
  exampleDataRoutes,
  healthRoutes,
  iconRoutes,
  liveRoutes,
  loginLogRoutes,
  managedDeviceRoutes,
  manufacturerRoutes,
  mapEngineeringRoutes,
  menuRoutes,
  networkRoutes,
  platformSettingsRoutes,
  notificationRoutes,
  productTypeRoutes,
  productRoutes,
  projectRoutes,
  registrationModuleRoutes,
  registrationRoutes,
  releaseRoutes,
  startRetention,
  roleRoutes,
  sceneRoutes,
  handoverRoutes,
  shiftRoutes,
  snapshotRoutes,
  spaceRoutes,
  uniqueCheckRoutes,
  taskRoutes,
  uploadRoutes,
  userRoutes,
  viewRoutes,
]
