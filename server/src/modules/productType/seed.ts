import type { Db } from '../../core/db/db'
import { productType } from '../../tables/productType'

const action = { identifier: 'PowerSwitch', confirm: 'ask' as const }
/** The lights of home, as the specification names them. */
const lights = {
  name: '灯光',
  code: 'SAFEWAY_LIGHT',
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
  status: 'enabled' as const,
  builtin: true,
  createBy: '系统',
  updateBy: '系统',
}

export const seedProductTypes = (db: Db) =>
  db.insert(productType).values(lights).onConflictDoNothing()
