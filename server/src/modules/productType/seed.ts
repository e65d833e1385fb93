import { lightType } from '@iot/shared/contract/light'
import type { Db } from '../../core/db/db'
import { productType } from '../../tables/productType'

const builtin = {
  status: 'enabled' as const,
  builtin: true,
  createBy: '系统',
  updateBy: '系统',
}
const action = { identifier: 'PowerSwitch', confirm: 'ask' as const }
/** Light types of the home screen, as the specification names them. */
const lights = {
  name: '灯光',
  code: lightType,
  categories: ['Light', 'TunableLight', 'RGBLight', 'LightStrip'],
  icon: 'BulbOutlined',
  color: '#faad14',
  actions: [
    { ...action, actionType: 'all_on', name: '全开', value: 1 },
    { ...action, actionType: 'all_off', name: '全关', value: 0 },
  ],
  showOnHome: true,
  description: '首页的灯光，全开和全关作用于它',
  sort: 1,
  ...builtin,
}
/** Other types that most buildings have. */
const others = [
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
].map((type, n) => ({
  ...type,
  ...builtin,
  color: '',
  actions: [],
  showOnHome: false,
  sort: n + 2,
}))

export const seedProductTypes = (db: Db) =>
  db
    .insert(productType)
    .values([lights, ...others])
    .onConflictDoNothing()
