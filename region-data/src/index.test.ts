import fc from 'fast-check'
import { text } from '../data/regions.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { areas, cities, lookup, provinces, type Level } from './index.ts'
import { getAreas, getCities, formatRegionLabel, getRegionNames, getRegionPath } from './tree.ts'

const allRegions = [...provinces, ...cities, ...areas]
const countBy = (keys: string[]) => {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

describe('region lists', () => {
  it('contain 31 provinces, 342 cities and 2,851 areas', () =>
    expect([provinces.length, cities.length, areas.length]).toEqual([31, 342, 2851]))

  it('contain the known number of areas in every province', () =>
    expect(Object.fromEntries(countBy(areas.map((area) => area.provinceCode))))
      .toMatchInlineSnapshot(`
     {
       "11": 16,
       "12": 16,
       "13": 167,
       "14": 117,
       "15": 103,
       "21": 100,
       "22": 60,
       "23": 121,
       "31": 16,
       "32": 95,
       "33": 90,
       "34": 104,
       "35": 84,
       "36": 100,
       "37": 136,
       "41": 157,
       "42": 103,
       "43": 122,
       "44": 124,
       "45": 111,
       "46": 26,
       "50": 37,
       "51": 183,
       "52": 88,
       "53": 129,
       "54": 74,
       "61": 107,
       "62": 87,
       "63": 44,
       "64": 22,
       "65": 112,
     }
    `))

  it('link every area to its city and every city to its province by prefix', () => {
    for (const { code, cityCode, provinceCode } of areas) {
      expect(code).toMatch(/^\d{6}$/)
      expect([cityCode, provinceCode]).toEqual([code.slice(0, 4), code.slice(0, 2)])
      expect(lookup(cityCode, 'city')).toBeDefined()
    }
    for (const { code, provinceCode } of cities) {
      expect(code).toMatch(/^\d{4}$/)
      expect(provinceCode).toBe(code.slice(0, 2))
      expect(lookup(provinceCode)).toBeDefined()
    }
  })

  it('contain at least one area in every city', () => {
    expect(cities.filter(({ code }) => getAreas(code).length === 0)).toEqual([])
    expect(provinces.filter(({ code }) => getCities(code).length === 0)).toEqual([])
  })

  it('contain unique codes in ascending order', () => {
    for (const list of [provinces, cities, areas]) {
      const codes = list.map(({ code }) => code)
      expect(codes).toEqual([...new Set(codes)].sort())
    }
  })

  it('contain unique names within a city, and 28 names on 64 rows repeated across cities', () => {
    expect(new Set(areas.map(({ cityCode, name }) => cityCode + name)).size).toBe(areas.length)
    const repeatedCounts = [...countBy(areas.map(({ name }) => name)).values()].filter(
      (count) => count > 1,
    )
    expect([repeatedCounts.length, repeatedCounts.reduce((sum, count) => sum + count, 0)]).toEqual([
      28, 64,
    ])
  })

  it('contain names without digits, spaces, asterisks and brackets', () =>
    expect(allRegions.filter(({ name }) => !/^\p{Script=Han}+$/u.test(name))).toEqual([]))

  it('range from province 11 to 65', () => {
    expect(provinces.at(0)).toEqual({ code: '11', name: '北京市' })
    expect(provinces.at(-1)).toEqual({ code: '65', name: '新疆维吾尔自治区' })
  })

  it('include county-level units without a city or directly under the province', () => {
    const codes = [
      '419001',
      '429004',
      '429005',
      '429006',
      '429021',
      '441900',
      '442000',
      '460400',
      '620201',
    ]
    const xinjiang = Array.from({ length: 13 }, (_, offset) => String(659001 + offset))
    const hainan = ['469001', '469002', '469005', '469006', '469007', '469021', '469030']
    for (const code of [...codes, ...xinjiang, ...hainan])
      expect(lookup(code, 'area')).toMatchObject({ code })
  })

  it('include the changes since 2024-12-31 and exclude the replaced units', () => {
    expect(lookup('500157', 'area')?.name).toBe('两江新区')
    expect(lookup('653132', 'area')?.name).toBe('岑岭县')
    expect(lookup('659013', 'area')?.name).toBe('草湖市')
    for (const code of ['500105', '500112', '460321', '460322', '460323'])
      expect(lookup(code, 'area')).toBeUndefined()
  })

  it('are frozen, including their rows', () => {
    for (const list of [provinces, cities, areas]) {
      expect(Object.isFrozen(list)).toBe(true)
      expect(list.every((row) => Object.isFrozen(row))).toBe(true)
      expect(() => (list as unknown[]).push({})).toThrow(TypeError)
      expect(() => Object.assign(list[0]!, { name: '' })).toThrow(TypeError)
    }
  })

  it('behave as plain arrays', () => {
    expect(Array.isArray(areas)).toBe(true)
    expect(JSON.parse(JSON.stringify(provinces))).toEqual([...provinces])
    expect(areas.slice(-1)).toEqual([areas.at(-1)])
  })

  it('survive encoding and decoding', () => {
    expect(encode({ provinces, cities, areas })).toBe(text)
    expect(decode(encode({ provinces, cities, areas }))).toEqual({
      provinces: [...provinces],
      cities: [...cities],
      areas: [...areas],
    })
  })
})

describe('decoding', () => {
  it('happens once, on first access', async () => {
    await jest.isolateModulesAsync(async () => {
      const decoder = jest.fn(decode)
      jest.doMock('./decode.ts', () => ({ decode: decoder }))
      const freshModule = await import('./index.ts')
      expect(decoder).not.toHaveBeenCalled()
      expect(freshModule.areas.length + freshModule.cities.length).toBe(3193)
      expect(freshModule.lookup('11')?.name).toBe('北京市')
      expect(decoder).toHaveBeenCalledTimes(1)
    })
  })
})

describe('lookup', () => {
  it('uses the province level by default', () => {
    expect(lookup('44')).toEqual({ code: '44', name: '广东省' })
    expect(lookup('440305', 'area')).toEqual({
      code: '440305',
      name: '南山区',
      cityCode: '4403',
      provinceCode: '44',
    })
    expect(lookup('4403', 'city')).toEqual({ code: '4403', name: '深圳市', provinceCode: '44' })
    expect(lookup('440305')).toBeUndefined()
  })

  it('returns nothing for an unknown level', () => {
    for (const level of ['', 'street', 'constructor', '__proto__', 'toString', 'get', null, 0, {}])
      expect(lookup('44', level as unknown as Level)).toBeUndefined()
  })

  it('returns the listed record or nothing for any key', () => {
    const levels = { province: provinces, city: cities, area: areas }
    const code = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '__proto__',
        'constructor',
        'hasOwnProperty',
        'size',
        ' 44',
        '44 ',
        '４４',
        '044',
        '44.0',
      ),
      fc.constantFrom(...allRegions.map((region) => region.code)),
      fc.anything(),
    )
    fc.assert(
      fc.property(code, fc.constantFrom(...(Object.keys(levels) as Level[])), (key, level) => {
        const expected = (levels[level] as readonly { code: unknown }[]).find(
          (row) => row.code === key,
        )
        expect(lookup(key as string, level)).toBe(expected)
      }),
    )
  })
})

describe('paths and labels', () => {
  it('start at the province', () => {
    expect(getRegionPath('440305').map(({ name }) => name)).toEqual(['广东省', '深圳市', '南山区'])
    expect(getRegionPath('4403').map(({ code }) => code)).toEqual(['44', '4403'])
    expect(getRegionPath('440399')).toEqual([])
    expect(getRegionPath('')).toEqual([])
  })

  it('omit repeated names and placeholder cities', () => {
    expect(formatRegionLabel('110101')).toBe('北京市东城区')
    expect(formatRegionLabel('500229', ' / ')).toBe('重庆市 / 城口县')
    expect(formatRegionLabel('419001')).toBe('河南省济源市')
    expect(formatRegionLabel('441900')).toBe('广东省东莞市')
    expect(getRegionNames('659013')).toEqual(['新疆维吾尔自治区', '草湖市'])
    expect(getRegionNames('4190')).toEqual(['河南省', '省直辖县级行政区划'])
  })
})
