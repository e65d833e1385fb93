import fc from 'fast-check'
import { areas, cities, lookup, provinces } from './index.ts'
import { toInitials, toPinyin } from './pinyin.ts'
import { search } from './search.ts'
import { formatRegionLabel, getRegionPath } from './tree.ts'

const searchLabels = (query: string, limit?: number) =>
  search(query, limit).map(({ code }) => formatRegionLabel(code))

describe('search', () => {
  it.each([
    ['深圳南山', '广东省深圳市南山区'],
    ['广东 南山', '广东省深圳市南山区'],
    ['广东省深圳市南山区', '广东省深圳市南山区'],
    ['szns', '广东省深圳市南山区'],
    ['shenzhen nanshan', '广东省深圳市南山区'],
    ['gdsznanshan', '广东省深圳市南山区'],
    ['shenzhennans', '广东省深圳市南山区'],
    ['深圳ns', '广东省深圳市南山区'],
    ['440305', '广东省深圳市南山区'],
    ['４４０３０５', '广东省深圳市南山区'],
    ['shenzhen', '广东省深圳市'],
    ['guangdong', '广东省'],
    ['北京', '北京市'],
    ['beijing chaoyang', '北京市朝阳区'],
    ['东莞', '广东省东莞市'],
    ['济源', '河南省济源市'],
    ['hnjy', '河南省济源市'],
    ['延边州', '吉林省延边朝鲜族自治州'],
    ['玉屏县', '贵州省铜仁市玉屏侗族自治县'],
    ['广西南宁', '广西壮族自治区南宁市'],
    ['chongqing', '重庆市'],
    ['panyu', '广东省广州市番禺区'],
    ['fanyu', '广东省广州市番禺区'],
    ["xi'an", '陕西省西安市'],
    ['lvchun', '云南省红河哈尼族彝族自治州绿春县'],
    ['lüchun', '云南省红河哈尼族彝族自治州绿春县'],
    ['两江新区', '重庆市两江新区'],
    ['岑岭', '新疆维吾尔自治区喀什地区岑岭县'],
  ])('finds %s first: %s', (query, expected) => expect(searchLabels(query)[0]).toBe(expected))

  it('finds every region with a repeated name', () => {
    expect(searchLabels('鼓楼区')).toEqual([
      '江苏省南京市鼓楼区',
      '江苏省徐州市鼓楼区',
      '福建省福州市鼓楼区',
      '河南省开封市鼓楼区',
    ])
    expect(searchLabels('南山')).toEqual(
      expect.arrayContaining(['广东省深圳市南山区', '黑龙江省鹤岗市南山区']),
    )
  })

  it('ranks a match inside a name after all prefix matches', () => {
    expect(searchLabels('家庄')).toContain('河北省石家庄市')
    expect(searchLabels('山')[0]).toMatch(/山/)
  })

  it('finds regions by the first digits of a code', () => {
    expect(searchLabels('4403')[0]).toBe('广东省深圳市')
    expect(search('4403', 50)).toHaveLength(10)
  })

  it('finds nothing for empty and meaningless queries', () => {
    for (const query of ['', ' ', '，。', 'qqqqqq', '天上人间', '__proto__', '*', '(', '999999'])
      expect(search(query)).toEqual([])
  })

  it('finds every area by its full path, joined pinyin and code', () => {
    for (const { code, name } of areas) {
      if (Number(code) % 29 !== 0) continue
      const path = getRegionPath(code).filter((region) => !/直辖|^县$/.test(region.name))
      const isFound = (query: string, limit: number) =>
        search(query, limit).some((match) => match.code === code)
      expect([name, isFound(path.map((region) => region.name).join(''), 1)]).toEqual([name, true])
      expect([
        name,
        isFound(path.map((region) => toPinyin(region.name).join('')).join(''), 5),
      ]).toEqual([name, true])
      expect([name, isFound(path.map((region) => toInitials(region.name)).join(''), 20)]).toEqual([
        name,
        true,
      ])
      expect([name, isFound(code, 1)]).toEqual([name, true])
    }
  })

  it('accepts any text and returns only existing regions', () => {
    const pieces = fc.constantFrom(...[...provinces, ...cities, ...areas].map(({ name }) => name))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          pieces,
          fc.array(pieces, { maxLength: 4 }).map((names) => names.join('')),
        ),
        (query) => {
          for (const { code, level, name } of search(query))
            expect(lookup(code, level)?.name).toBe(name)
        },
      ),
      { numRuns: 60 },
    )
  })
})
