import { findIncompatibility, type HostInterface } from './buildCompatibility'

const hostInterface: HostInterface = {
  shellApi: '1.2.0',
  versions: { antd: '6.6.1', react: '19.3.1' },
  listExports: (module) =>
    ({ react: ['useState', 'useId'], '@iot/shared/ui/panel': ['Panel'], dayjs: ['*'] })[module],
}
const buildRequirements = { shellApi: '^1.0.0', requires: {}, shared: ['react'], uses: {} }

describe('the compatibility check of a remote with a host', () => {
  it('refuses a shell API version the host does not have yet or no longer', () => {
    expect(findIncompatibility({ ...buildRequirements, shellApi: '^1.3.0' }, hostInterface)).toBe(
      '它需要控制台接口 ^1.3.0，当前为 1.2.0',
    )
    expect(findIncompatibility({ ...buildRequirements, shellApi: '^2.0.0' }, hostInterface)).toBe(
      '它需要控制台接口 ^2.0.0，当前为 1.2.0',
    )
    expect(findIncompatibility({ ...buildRequirements, shellApi: '^0.9.0' }, hostInterface)).toBe(
      '与当前平台不兼容，请重新构建（它需要控制台接口 ^0.9.0，当前为 1.2.0）',
    )
  })

  it('refuses a version of a shared package the host does not provide', () => {
    expect(
      findIncompatibility(
        { ...buildRequirements, requires: { react: '^19.3.0', antd: '^6.7.0' } },
        hostInterface,
      ),
    ).toBe('它需要 antd ^6.7.0，当前为 6.6.1')
  })

  it('refuses a module or an export that the host does not have', () => {
    expect(
      findIncompatibility(
        { ...buildRequirements, shared: ['react', '@iot/shared/ui/tree'] },
        hostInterface,
      ),
    ).toBe('当前控制台没有提供 @iot/shared/ui/tree')
    expect(
      findIncompatibility(
        { ...buildRequirements, uses: { '@iot/shared/ui/panel': ['Panel', 'Split'] } },
        hostInterface,
      ),
    ).toBe('当前控制台的 @iot/shared/ui/panel 没有 Split')
  })

  it('accepts a compatible build, and requirements that cannot be checked', () => {
    expect(
      findIncompatibility(
        { ...buildRequirements, uses: { react: ['useId'], dayjs: ['default', 'extend'] } },
        hostInterface,
      ),
    ).toBeUndefined()
  })
})

it('compares version ranges like npm', () => {
  const checkAntdRange = (antd: string) =>
    findIncompatibility({ ...buildRequirements, requires: { antd } }, hostInterface)
  for (const range of ['>=6.5 <8', '6.x', '^5.20.0 || ^6.6.0', '~6.6.1'])
    expect(checkAntdRange(range)).toBeUndefined()
  for (const range of ['^6.6.2', '>=7', '6.5.x', 'latest'])
    expect(checkAntdRange(range)).toBe(`它需要 antd ${range}，当前为 6.6.1`)
})
