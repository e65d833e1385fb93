import { misfit, type Shell } from './fits'

const shell: Shell = {
  shellApi: '1.2.0',
  versions: { antd: '6.6.1', react: '19.3.1' },
  exportsOf: (module) =>
    ({ react: ['useState', 'useId'], '@iot/shared/ui/panel': ['Panel'], dayjs: ['*'] })[module],
}
const needs = { shellApi: '^1.0.0', requires: {}, shared: ['react'], uses: {} }

describe('whether a remote fits a host', () => {
  it('refuses an interface the host does not have yet, or no more', () => {
    expect(misfit({ ...needs, shellApi: '^1.3.0' }, shell)).toBe(
      '它需要控制台接口 ^1.3.0，当前为 1.2.0',
    )
    expect(misfit({ ...needs, shellApi: '^2.0.0' }, shell)).toMatch('^2.0.0')
  })

  it('refuses a version of a shared package the host does not bring', () => {
    expect(misfit({ ...needs, requires: { react: '^19.3.0', antd: '^6.7.0' } }, shell)).toBe(
      '它需要 antd ^6.7.0，当前为 6.6.1',
    )
  })

  it('refuses a module, or a name of one, that the host does not have', () => {
    expect(misfit({ ...needs, shared: ['react', '@iot/shared/ui/tree'] }, shell)).toBe(
      '当前控制台没有提供 @iot/shared/ui/tree',
    )
    expect(misfit({ ...needs, uses: { '@iot/shared/ui/panel': ['Panel', 'Split'] } }, shell)).toBe(
      '当前控制台的 @iot/shared/ui/panel 没有 Split',
    )
  })

  it('takes what fits, and what nobody can tell', () => {
    expect(
      misfit({ ...needs, uses: { react: ['useId'], dayjs: ['default', 'extend'] } }, shell),
    ).toBeUndefined()
  })
})

it('takes ranges as packages everywhere write them', () => {
  const requiring = (antd: string) => misfit({ ...needs, requires: { antd } }, shell)
  for (const range of ['>=6.5 <8', '6.x', '^5.20.0 || ^6.6.0', '~6.6.1'])
    expect(requiring(range)).toBeUndefined()
  for (const range of ['^6.6.2', '>=7', '6.5.x', 'latest'])
    expect(requiring(range)).toBe(`它需要 antd ${range}，当前为 6.6.1`)
})
