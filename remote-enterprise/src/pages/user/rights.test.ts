import { compareRights, matchesRight } from './rights'

const right = (name: string, ...roleIds: string[]) => ({
  permission: `a:b:${name}`,
  name,
  place: '企业管理 / 用户管理',
  roleIds,
})

it('compares two roles right by right and leaves out what neither has', () =>
  expect(
    compareRights(
      [right('新建', 'a', 'b'), right('删除', 'b'), right('导出', 'a'), right('导入', 'c')],
      'a',
      'b',
    ).map(({ name, sign }) => `${sign}${name}`),
  ).toEqual(['＝新建', '＋删除', '－导出']))

it('finds a right by words of its place and name in any order', () => {
  expect(matchesRight(right('删除用户'), '删除 企业')).toBe(true)
  expect(matchesRight(right('删除用户'), '删除 设备')).toBe(false)
  expect(matchesRight(right('删除用户'), ' ')).toBe(true)
})
