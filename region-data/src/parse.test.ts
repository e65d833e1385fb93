import fc from 'fast-check'
import { lookup } from './index.ts'
import { abolished } from './old-codes.ts'
import { parseAddress } from './parse.ts'
import { samples } from './parse.samples.ts'
import { namesOf } from './tree.ts'

type Names = { city?: string; area?: string }
const zhAddressParse = jest.requireActual<(text: string) => Names>('zh-address-parse')
const { default: addressParse } = jest.requireActual<{
  default: { parse: (text: string) => [Names] }
}>('address-parse')

const share = (right: number) => right / samples.length

describe('parseAddress', () => {
  const wrong = samples
    .map(([text, code, rest]) => {
      const parsed = parseAddress(text)
      return {
        text,
        expected: [code, rest],
        received: [parsed.code ?? parsed.candidates.join('或'), parsed.rest],
      }
    })
    .filter(({ expected, received }) => expected.join() !== received.join())

  it('knows at least 60 addresses by code and rest, 95 % of them right', () => {
    expect(samples.length).toBeGreaterThanOrEqual(60)
    if (wrong.length) console.warn(wrong)
    expect(share(samples.length - wrong.length)).toBeGreaterThanOrEqual(0.95)
  })

  it('takes person and phone out', () => {
    expect(parseAddress('张三 13800138000 广东省深圳市南山区科技园南路1号')).toEqual({
      code: '440305',
      candidates: [],
      rest: '科技园南路1号',
      person: '张三',
      phone: '13800138000',
    })
    expect(parseAddress('上海市浦东新区世纪大道100号 陈先生 139-1234-5678')).toMatchObject({
      person: '陈先生',
      phone: '13912345678',
    })
    const who = (text: string) => {
      const { person, phone } = parseAddress(text)
      return [person, phone]
    }
    expect(who('王经理 400-820-8820 上海市徐汇区桂平路391号')).toEqual(['王经理', '4008208820'])
    expect(who('收件人：欧阳娜娜 (021)61234567 上海市浦东新区碧波路690号')).toEqual([
      '欧阳娜娜',
      '02161234567',
    ])
    expect(who('杭州市余杭区文一西路969号,王小二(收),13700001111')).toEqual([
      '王小二',
      '13700001111',
    ])
  })

  it('reads no region of the mainland into an address elsewhere', () =>
    expect(parseAddress('香港特别行政区中西区皇后大道中1号').code).toBeUndefined())

  it('gives what is certain when the district is missing', () => {
    expect(parseAddress('广东省深圳市深南大道1号')).toMatchObject({
      code: '4403',
      rest: '深南大道1号',
    })
    expect(parseAddress('苏州工业园区星湖街1号')).toMatchObject({
      code: '3205',
      rest: '工业园区星湖街1号',
    })
    expect(parseAddress('广东')).toMatchObject({ code: '44', rest: '' })
  })

  it('leaves text without a region alone', () => {
    expect(parseAddress('科技园南路1号')).toEqual({ candidates: [], rest: '科技园南路1号' })
    expect(parseAddress('')).toEqual({ candidates: [], rest: '' })
  })

  it('takes any text and gives only codes that exist or existed', () => {
    const pieces = fc.constantFrom(
      '广东',
      '省',
      '市',
      '深圳',
      '南山区',
      ' ',
      '13800138000',
      '张三',
      '路',
      '北京',
      '朝阳',
      '1',
    )
    const text = fc.oneof(
      fc.string({ maxLength: 400 }),
      fc.array(pieces, { maxLength: 30 }).map((list) => list.join('')),
    )
    fc.assert(
      fc.property(text, (input) => {
        const { code, candidates } = parseAddress(input)
        for (const each of [...(code ? [code] : []), ...candidates]) {
          const level = ({ 2: 'province', 4: 'city', 6: 'area' } as const)[each.length as 2 | 4 | 6]
          expect(lookup(each, level) ?? abolished(each)).toBeDefined()
        }
      }),
    )
  })

  it('is right more often than other parsers on the same addresses', () => {
    // They answer with names, and cannot say “either”: an abolished area counts when they keep its name or name a successor.
    const agrees = (code: string, district: string | undefined, city: string | undefined) =>
      code.split('或').some((each) =>
        [each, ...(abolished(each)?.successors ?? [])].some((current) => {
          const name = abolished(current)?.name ?? lookup(current, 'area')?.name
          return (
            name === (district || city) &&
            (namesOf(current).length < 3 ||
              !city ||
              namesOf(current).includes(city) ||
              city.includes('直辖') ||
              city === '市辖区')
          )
        }),
      )
    const others = {
      'zh-address-parse 1.3.16': (text: string) => zhAddressParse(text),
      'address-parse 1.2.19': (text: string) => addressParse.parse(text)[0],
    }
    const shares = Object.entries(others).map(([name, parse]) => {
      const right = samples.filter(([text, code]) => {
        const { area, city } = parse(text)
        return agrees(code, area, city)
      })
      return [name, share(right.length)] as const
    })
    const own = share(samples.length - wrong.length)
    console.info(
      '地址解析正确率',
      Object.fromEntries([['region-data（含剩余地址）', own], ...shares]),
    )
    for (const [, other] of shares) expect(own).toBeGreaterThan(other)
  })
})
