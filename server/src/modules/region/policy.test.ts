import { formatRegion } from './policy'

it.each([
  ['440305', '广东省 / 深圳市 / 南山区'],
  ['110101', '北京市 / 东城区'],
  ['429004', '湖北省 / 仙桃市'],
  ['330103', '下城区（已撤并）'],
  ['999999', '999999'],
])('formats region %s as %s', (code, name) => expect(formatRegion(code)).toBe(name))
