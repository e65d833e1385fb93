import fc from 'fast-check'
import { listFormerNames } from './former-names.ts'
import { areas, cities, lookup } from './index.ts'
import { parseAddress } from './parse.ts'
import { samples } from './parse.samples.ts'
import { getRegionNames } from './tree.ts'

type Names = { city?: string; area?: string }
const zhAddressParse = jest.requireActual<(text: string) => Names>('zh-address-parse')
const { default: addressParse } = jest.requireActual<{
  default: { parse: (text: string) => [Names] }
}>('address-parse')

const getShare = (correctCount: number) => correctCount / samples.length

describe('parseAddress', () => {
  const mismatches = samples
    .map(([text, code, rest]) => {
      const result = parseAddress(text)
      return {
        text,
        expected: [code, rest],
        received: [result.code ?? result.candidates.join('或'), result.rest],
      }
    })
    .filter(({ expected, received }) => expected.join() !== received.join())

  it('parses at least 60 sample addresses with 95 % correct code and rest', () => {
    expect(samples.length).toBeGreaterThanOrEqual(60)
    if (mismatches.length) console.warn(mismatches)
    expect(getShare(samples.length - mismatches.length)).toBeGreaterThanOrEqual(0.95)
  })

  it('extracts person and phone', () => {
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
    const getContact = (text: string) => {
      const { person, phone } = parseAddress(text)
      return [person, phone]
    }
    expect(getContact('王经理 400-820-8820 上海市徐汇区桂平路391号')).toEqual([
      '王经理',
      '4008208820',
    ])
    expect(getContact('收件人：欧阳娜娜 (021)61234567 上海市浦东新区碧波路690号')).toEqual([
      '欧阳娜娜',
      '02161234567',
    ])
    expect(getContact('杭州市余杭区文一西路969号,王小二(收),13700001111')).toEqual([
      '王小二',
      '13700001111',
    ])
    expect(getContact('北京市朝阳区建国路88号 010-12345678转801')).toEqual([
      undefined,
      '01012345678-801',
    ])
    expect(getContact('北京市朝阳区建国路88号 +86-10-12345678')).toEqual([undefined, '01012345678'])
  })

  it.each([
    '香港特别行政区中西区皇后大道中1号',
    '张三 13800138000 台湾省台北市中山区1号',
    '台北市 大同区1号',
    '臺北市大安區1號',
    '高雄市新兴区1号',
    '九龙城区1号',
    '收件人：李四 香港九龙城区1号',
    // The city of this district is not in the data.
    '某某市南山区1号',
  ])('finds no mainland region in %s', (text) => {
    const { code, candidates, rest } = parseAddress(text)
    expect([code, candidates]).toEqual([undefined, []])
    expect(rest).toContain(text.replace(/^.*(?:\d |：)/, ''))
  })

  it('returns the known levels when the district is missing', () => {
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

  it.each([
    // A suffix decides the level.
    ['湖南省长沙市芙蓉中路1号', '4301', '芙蓉中路1号'],
    ['湖南省长沙县芙蓉中路1号', '430121', '芙蓉中路1号'],
    ['天津市人民路1号', '12', '人民路1号'],
    ['青岛市南京路1号', '3702', '南京路1号'],
    ['济南市中区经七路1号', '370103', '经七路1号'],
    ['兰州市兰州新区纬三路1号', '6201', '兰州新区纬三路1号'],
    ['河北雄安新区人民路1号', '13', '雄安新区人民路1号'],
    // These are usual short forms.
    ['吉林省前郭县人民路1号', '220721', '人民路1号'],
    ['喀左县大城子镇', '211324', '大城子镇'],
    ['阜蒙县', '210921', ''],
    ['黔西南州兴义市人民路1号', '522301', '人民路1号'],
    ['内蒙古通辽市科左中旗保康镇', '150521', '保康镇'],
    ['龙胜县', '450328', ''],
    ['内蒙古阿左旗巴彦浩特镇', '152921', '巴彦浩特镇'],
    ['鄂尔多斯市伊旗阿镇', '150627', '阿镇'],
    ['苏右旗赛汉塔拉镇', '152524', '赛汉塔拉镇'],
    ['呼市新城区兴安北路1号', '150102', '兴安北路1号'],
    ['新疆乌市天山区人民路2号', '650102', '人民路2号'],
    ['河南省郑州市管城区紫荆山路1号', '410104', '紫荆山路1号'],
    ['洛阳瀍河区中州东路1号', '410304', '中州东路1号'],
    ['梅里斯区', '230208', ''],
    // A zone of a city is no district.
    ['昆明经开区1号', '5301', '经开区1号'],
    ['泉州台商投资区1号', '3505', '台商投资区1号'],
    ['广州开发区科学城1号', '4401', '开发区科学城1号'],
    // The city and the province may follow, as in foreign order.
    ['科技园南路1号, 南山区, 深圳市, 广东省', '440305', '科技园南路1号'],
    ['文三路478号 西湖区 杭州市 浙江省', '330106', '文三路478号'],
    ['Room 101, 1 Keji Rd, 南山区, 深圳市', '440305', 'Room 101, 1 Keji Rd'],
    // A second city stays in the street, because it names whose office stands here and not where it stands.
    ['南京市玄武区 徐州市驻宁办事处', '320102', '徐州市驻宁办事处'],
    // A middle dot may separate the levels.
    ['中国·广东·深圳·南山 1号', '440305', '1号'],
    // These have traditional characters, full width, a postcode or 中国 in front.
    ['廣東省東莞市長安鎮振安東路１號', '441900', '長安鎮振安東路１號'],
    ['臺州市椒江區人民路1号', '331002', '人民路1号'],
    ['中国湖南省长沙市岳麓区麓山南路1号', '430104', '麓山南路1号'],
    ['410000湖南省长沙市岳麓区麓山南路1号', '430104', '麓山南路1号'],
    ['湖南省长沙市岳麓区湖南省长沙市岳麓区麓山南路1号', '430104', '麓山南路1号'],
    ['广东省深圳市广东省深圳市南山区科技园1号', '440305', '科技园1号'],
    ['P.R.China广东省深圳市南山区科技园1号', '440305', 'P.R.China 科技园1号'],
    // Units between the levels, and a prefecture below another one.
    ['新疆生产建设兵团 第八师 石河子市 北三路1号', '659001', '北三路1号'],
    ['新疆兵团第14师昆玉市1号', '659009', '1号'],
    ['湖北省省直辖县潜江市章华中路1号', '429005', '章华中路1号'],
    ['湖北省省直管仙桃市1号', '429004', '1号'],
    ['雄安新区容城县金容大街1号', '130629', '金容大街1号'],
    ['新疆伊犁哈萨克自治州塔城地区乌苏市1号', '654202', '1号'],
    ['伊犁州阿勒泰地区富蕴县1号', '654322', '1号'],
    // Separators of other programs.
    ['广东省_深圳市_南山区_科技园1号', '440305', '科技园1号'],
    ['广东省→深圳市→南山区 科技园1号', '440305', '科技园1号'],
    ['广东省\\深圳市\\南山区\\科技园1号', '440305', '科技园1号'],
    // The remaining text is left unchanged.
    ['长沙市芙蓉区人民路　１号（Ａ座） ㎡', '430102', '人民路　１号（Ａ座） ㎡'],
    ['长沙市芙蓉区电话大楼430001号', '430102', '电话大楼430001号'],
    // These texts only look like a region.
    ['南京市鼓楼医院', '3201', '鼓楼医院'],
    ['杭州市西湖文化广场1号', '3301', '西湖文化广场1号'],
    ['朝阳门外大街1号', undefined, '朝阳门外大街1号'],
    ['公安局宿舍1号', undefined, '公安局宿舍1号'],
    ['人民路1号长沙市场', undefined, '人民路1号长沙市场'],
    ['科技园A座 东区 3楼', undefined, '科技园A座 东区 3楼'],
    // These names contradict each other.
    ['湖南省长沙市海淀区人民路1号', '4301', '海淀区人民路1号'],
  ])('parses %s as %s', (text, code, rest) => {
    const result = parseAddress(text)
    expect([result.code, result.rest]).toEqual([code, rest])
  })

  it('returns the possible successors of an abolished name', () =>
    expect(parseAddress('杭州市江干区钱江路1366号')).toEqual({
      candidates: ['330102', '330114'],
      abolishedName: '江干区',
      rest: '钱江路1366号',
    }))

  it.each([
    ['襄樊市人民路1号', '4206', '人民路1号'],
    ['湖北襄樊樊城区人民路1号', '420606', '人民路1号'],
    ['云南省思茅市翠云区振兴大道', '530802', '振兴大道'],
    ['思茅区振兴大道', '530802', '振兴大道'],
    ['淮阴市人民路1号', '3208', '人民路1号'],
    ['江苏淮阴区人民路1号', '320804', '人民路1号'],
    ['哲里木盟科尔沁左翼中旗', '150521', ''],
    ['安徽省徽州地区歙县', '341021', ''],
    ['沧州地区新华区', '130902', ''],
    ['广州番禺市大石镇', '440113', '大石镇'],
    ['潮阳市文光街道', '440513或440514', '文光街道'],
  ])('reads the former name in %s as the present region', (text, code, rest) => {
    const result = parseAddress(text)
    expect([result.code ?? result.candidates.join('或'), result.rest]).toEqual([code, rest])
  })
  it.each([
    ['北京北京北京市朝阳区望京街1号', '110105', '望京街1号'],
    ['北京北京北京北京市朝阳区望京街1号', '110105', '望京街1号'],
    ['上海 上海 上海市浦东新区', '310115', ''],
    ['广东广东广东省深圳深圳市南山区1号', '440305', '1号'],
    ['北京北京路1号', '11', '北京路1号'],
  ])('leaves nothing of the repeated names in %s', (text, code, rest) =>
    expect(parseAddress(text)).toMatchObject({ code, rest }),
  )
  it('knows former names only of present regions, and none that is in use', () => {
    const presentNames = new Set([...cities, ...areas].map(({ name }) => name))
    for (const { name, codes } of listFormerNames(cities)) {
      expect([name, presentNames.has(name)]).toEqual([name, false])
      expect(codes.length).toBeGreaterThan(0)
      for (const code of codes)
        expect([name, lookup(code, code.length === 4 ? 'city' : 'area')]).not.toContain(undefined)
    }
  })
  it('keeps the whole text beyond its parsing limit', () => {
    const street = '长'.repeat(500)
    expect(parseAddress(`长沙市芙蓉区${street}`).rest).toBe(street)
  })

  it('leaves text without a region unchanged', () => {
    expect(parseAddress('科技园南路1号')).toEqual({ candidates: [], rest: '科技园南路1号' })
    expect(parseAddress('')).toEqual({ candidates: [], rest: '' })
  })

  it('accepts any text and returns only existing codes', () => {
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
          expect(lookup(each, level)).toBeDefined()
        }
      }),
    )
  })

  it('is correct more often than other parsers on the same addresses', () => {
    // Other parsers return names and cannot report ambiguity; an abolished area counts as right if they keep its name
    // or name a successor.
    const isSameArea = (
      code: string,
      district: string | undefined,
      city: string | undefined,
      formerName: string | undefined,
    ) =>
      (formerName !== undefined && formerName === (district || city)) ||
      code
        .split('或')
        .some(
          (each) =>
            lookup(each, 'area')?.name === (district || city) &&
            (getRegionNames(each).length < 3 ||
              !city ||
              getRegionNames(each).includes(city) ||
              city.includes('直辖') ||
              city === '市辖区'),
        )
    const otherParsers = {
      'zh-address-parse 1.3.16': (text: string) => zhAddressParse(text),
      'address-parse 1.2.19': (text: string) => addressParse.parse(text)[0],
    }
    const otherShares = Object.entries(otherParsers).map(([name, parse]) => {
      const correctSamples = samples.filter(([text, code]) => {
        const { area, city } = parse(text)
        return isSameArea(code, area, city, parseAddress(text).abolishedName)
      })
      return [name, getShare(correctSamples.length)] as const
    })
    const ownShare = getShare(samples.length - mismatches.length)
    console.info(
      '地址解析正确率',
      Object.fromEntries([['region-data（含剩余地址）', ownShare], ...otherShares]),
    )
    for (const [, otherShare] of otherShares) expect(ownShare).toBeGreaterThan(otherShare)
  })
})
