import { endings, nextArea, nextCity, type Regions } from './decode.ts'

const tokenOf = (name: string) => {
  const [letter, ending] = Object.entries(endings).find(
    ([, end]) => name.endsWith(end) && name !== end,
  )!
  return name.slice(0, name.length - ending.length) + letter
}

/** Counts on from `before` and writes the digits only if a number is skipped. */
const counter = (before: number, next: typeof nextArea) => (digits: string, name: string) => {
  const text = tokenOf(name)
  const expected = next(before, text.at(-1)!)
  before = Number(digits)
  return (before === expected ? '' : digits) + text
}

/** Inverts `decode`; the lists must be sorted by code. */
export function encode({ provinces, cities, areas }: Regions): string {
  const province = counter(10, nextCity)
  return provinces
    .map(({ code, name }) => {
      const city = counter(0, nextCity)
      const blocks = cities
        .filter(({ provinceCode }) => provinceCode === code)
        .map(({ code, name }) => {
          const area = counter(1, nextArea)
          const own = areas.filter(({ cityCode }) => cityCode === code)
          return (
            city(code.slice(2), name) +
            own.map(({ code, name }) => area(code.slice(4), name)).join('')
          )
        })
      return [province(code, name), ...blocks].join(' ')
    })
    .join('\n')
}
