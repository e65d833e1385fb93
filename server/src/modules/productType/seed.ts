import { lightProductType } from '@iot/shared/contract/control/light'
import type { Db } from '../../core/db/db'
import { productType } from '../../tables/productType'

const builtinFields = {
  status: 'enabled' as const,
  builtin: true,
  createBy: '系统',
  updateBy: '系统',
}
const switchAction = { identifier: 'PowerSwitch', confirm: 'ask' as const }
/** Light types of the home screen, as the specification names them. */
const lightingType = {
  name: '灯光',
  code: lightProductType,
  categories: ['Light', 'TunableLight', 'RGBLight', 'LightStrip'],
  icon: 'BulbOutlined',
  color: '#faad14',
  actions: [
    { ...switchAction, actionType: 'all_on', name: '全开', value: 1 },
    { ...switchAction, actionType: 'all_off', name: '全关', value: 0 },
  ],
  showOnHome: true,
  description: '首页的灯光，全开和全关作用于它',
  sort: 1,
  ...builtinFields,
}
/** Other types that most buildings have. */
const otherTypes = [
  {
    name: '边缘主机',
    code: 'EDGE_HOST',
    categories: ['EdgeGateway'],
    icon: 'ClusterOutlined',
    description: '网关，子设备经它接入',
  },
  {
    name: '温湿度',
    code: 'CLIMATE_SENSOR',
    categories: ['TemperatureHumiditySensor'],
    icon: 'DashboardOutlined',
    description: '室内温度与湿度',
  },
  {
    name: '人体存在',
    code: 'PRESENCE_SENSOR',
    categories: ['PresenceSensor'],
    icon: 'UserOutlined',
    description: '有人、无人',
  },
  {
    name: '电表',
    code: 'ELECTRICITY_METER',
    categories: ['ElectricityMeter'],
    icon: 'ThunderboltOutlined',
    description: '用电计量',
  },
].map((type, index) => ({
  ...type,
  ...builtinFields,
  color: '',
  actions: [],
  showOnHome: false,
  sort: index + 2,
}))

export const seedProductTypes = (db: Db) =>
  db
    .insert(productType)
    .values([lightingType, ...otherTypes])
    .onConflictDoNothing()
