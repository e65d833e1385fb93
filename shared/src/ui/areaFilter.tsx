import DownOutlined from '@ant-design/icons/DownOutlined'
import type { Filter } from './filters'
import { createLazyPicker } from './onDemand'
import { RegionName } from './regionName'

const RegionFilter = createLazyPicker(() => import('./regionFilter'), {
  isFilled: ({ value }) => !!value,
  placeholder: '所在地区',
  width: 180,
  icon: <DownOutlined />,
})

/** Filters rows by province, city or district through their `areaCode`. */
export const areaFilter: Filter = {
  names: ['areaCode'],
  title: '所在地区',
  control: ({ areaCode }, change) => (
    <RegionFilter value={areaCode} onChange={(areaCode) => change({ areaCode })} />
  ),
  shown: ({ areaCode = '' }) => <RegionName code={areaCode} />,
}
