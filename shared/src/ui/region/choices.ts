import { lookup, provinces } from 'region-data'
import { areasOf, citiesOf, isGathering } from 'region-data/tree'

/** An entry of a column. `area` is set if nothing remains to choose below it. */
export type Choice = { code: string; name: string; area?: string }
export type Path = [province?: string, city?: string, area?: string]

const isCounties = ({ name }: { name: string }) => name === '县'

/** Units directly below the province are listed among its cities; the counties of 重庆 are listed with its districts. */
function cityChoices(province: string): Choice[] {
  return citiesOf(province)
    .filter((city) => !isCounties(city))
    .flatMap(({ code, name }) => {
      const areas = areasOf(code)
      if (isGathering(name)) return areas.map((area) => ({ ...area, area: area.code }))
      return { code, name, ...(areas.length === 1 && { area: areas[0]!.code }) }
    })
}

const areaChoices = (city: string): Choice[] =>
  [
    ...areasOf(city),
    ...citiesOf(city.slice(0, 2))
      .filter(isCounties)
      .flatMap(({ code }) => areasOf(code)),
  ].map(({ code, name }) => ({ code, name, area: code }))

/** Returns the three columns along a path. */
export function columnsOf([province, city]: Path): [Choice[], Choice[], Choice[]] {
  const cities = province ? cityChoices(province) : []
  const chosen = cities.find(({ code }) => code === city)
  return [[...provinces], cities, chosen && !chosen.area ? areaChoices(chosen.code) : []]
}

/** Returns the path to a code of any level. */
export function pathTo(code = ''): Path {
  const province = lookup(code.slice(0, 2))?.code
  if (!province) return []
  const cities = cityChoices(province)
  const only = cities.length === 1 ? cities[0] : undefined
  const city =
    cities.find((choice) => choice.code === code || choice.code === code.slice(0, 4)) ?? only
  return [province, city?.code, city && lookup(code, 'area') ? code : undefined]
}
