export type Province = { readonly code: string; readonly name: string }
export type City = { readonly code: string; readonly name: string; readonly provinceCode: string }
export type Area = {
  readonly code: string
  readonly name: string
  readonly cityCode: string
  readonly provinceCode: string
}
export type Regions = {
  provinces: readonly Province[]
  cities: readonly City[]
  areas: readonly Area[]
}

/**
 * The last letter of a name token encodes the ending of the name. Longer endings come first, so that encoding prefers
 * them.
 */
export const endings: Readonly<Record<string, string>> = {
  z: '族自治县',
  y: '自治县',
  w: '自治旗',
  k: '族自治州',
  l: '自治州',
  d: '地区',
  n: '新区',
  q: '区',
  x: '县',
  s: '市',
  h: '旗',
  m: '盟',
  p: '省',
  e: '',
}

const tokenPattern = /(\d\d)?(\D+?)([a-z])/g

/** Counties are numbered from 21 and county-level cities from 81, after the districts. */
const firstNumbers: Readonly<Record<string, number>> = { x: 21, z: 21, y: 21, h: 21, w: 21, s: 81 }

/** Returns the default number of the next area. */
export const getNextAreaNumber = (previousNumber: number, ending: string) =>
  Math.max(previousNumber + 1, firstNumbers[ending] ?? 0)
export const getNextCityNumber = (previousNumber: number) => previousNumber + 1

/** Reads tokens of two digits and a name; a token without digits has the next number. */
function* readTokens(
  tokens: string,
  previousNumber: number,
  getNextNumber: typeof getNextAreaNumber,
): Generator<[digits: string, name: string]> {
  for (const [, digits, stem, ending] of tokens.matchAll(tokenPattern)) {
    previousNumber = digits ? Number(digits) : getNextNumber(previousNumber, ending!)
    yield [String(previousNumber).padStart(2, '0'), stem! + endings[ending!]]
  }
}

/**
 * Decodes one line per province, `province city areas… city areas…` with a space before each city. Cities count on
 * from 00, areas from 01, because most cities begin at 02.
 */
export function decode(text: string): Regions {
  const provinces: Province[] = []
  const cities: City[] = []
  const areas: Area[] = []
  let lastProvince = 10
  for (const line of text.split('\n')) {
    const [head, ...blocks] = line.split(' ')
    const [[provinceCode, name]] = [...readTokens(head!, lastProvince, getNextCityNumber)] as [
      [string, string],
    ]
    lastProvince = Number(provinceCode)
    provinces.push(Object.freeze({ code: provinceCode, name }))
    let lastCity = 0
    for (const block of blocks) {
      const end = block.search(/[a-z]/) + 1
      const [[digits, name]] = [
        ...readTokens(block.slice(0, end), lastCity, getNextCityNumber),
      ] as [[string, string]]
      const cityCode = provinceCode + digits
      lastCity = Number(digits)
      cities.push(Object.freeze({ code: cityCode, name, provinceCode }))
      for (const [digits, name] of readTokens(block.slice(end), 1, getNextAreaNumber))
        areas.push(Object.freeze({ code: cityCode + digits, name, cityCode, provinceCode }))
    }
  }
  return {
    provinces: Object.freeze(provinces),
    cities: Object.freeze(cities),
    areas: Object.freeze(areas),
  }
}
