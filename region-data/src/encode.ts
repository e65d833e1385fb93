import { endings, type Regions } from './decode.ts'

const tokenOf = (name: string) => {
  const [letter, ending] = Object.entries(endings).find(([, end]) => name.endsWith(end) && name !== end)!
  return name.slice(0, name.length - ending.length) + letter
}

/** Counts on from `before`; only a jump is written. */
const counter = (before: number) => (digits: string, name: string) => {
  const jump = Number(digits) !== before + 1
  before = Number(digits)
  return (jump ? digits : '') + tokenOf(name)
}

/** The inverse of `decode`; the lists must be ordered by code. */
export function encode({ provinces, cities, areas }: Regions): string {
  const province = counter(10)
  return provinces
    .map(({ code, name }) => {
      const city = counter(0)
      const blocks = cities
        .filter(({ provinceCode }) => provinceCode === code)
        .map(({ code, name }) => {
          const area = counter(1)
          const own = areas.filter(({ cityCode }) => cityCode === code)
          return city(code.slice(2), name) + own.map(({ code, name }) => area(code.slice(4), name)).join('')
        })
      return [province(code, name), ...blocks].join(' ')
    })
    .join('\n')
}
