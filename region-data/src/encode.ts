import { endings, getNextAreaNumber, getNextCityNumber, type Regions } from './decode.ts'

const toToken = (name: string) => {
  const [letter, ending] = Object.entries(endings).find(
    ([, end]) => name.endsWith(end) && name !== end,
  )!
  return name.slice(0, name.length - ending.length) + letter
}

/** Counts on from `previousNumber` and writes the digits only if a number is skipped. */
const createTokenEncoder =
  (previousNumber: number, getNextNumber: typeof getNextAreaNumber) =>
  (digits: string, name: string) => {
    const token = toToken(name)
    const expectedNumber = getNextNumber(previousNumber, token.at(-1)!)
    previousNumber = Number(digits)
    return (previousNumber === expectedNumber ? '' : digits) + token
  }

/** Inverts `decode`; the lists must be sorted by code. */
export function encode({ provinces, cities, areas }: Regions): string {
  const encodeProvince = createTokenEncoder(10, getNextCityNumber)
  return provinces
    .map(({ code, name }) => {
      const encodeCity = createTokenEncoder(0, getNextCityNumber)
      const blocks = cities
        .filter(({ provinceCode }) => provinceCode === code)
        .map(({ code, name }) => {
          const encodeArea = createTokenEncoder(1, getNextAreaNumber)
          const cityAreas = areas.filter(({ cityCode }) => cityCode === code)
          return (
            encodeCity(code.slice(2), name) +
            cityAreas.map(({ code, name }) => encodeArea(code.slice(4), name)).join('')
          )
        })
      return [encodeProvince(code, name), ...blocks].join(' ')
    })
    .join('\n')
}
