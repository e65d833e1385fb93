import { lookup, provinces } from 'region-data'
import { getAreas, getCities, isGroupingCity } from 'region-data/tree'

/** An entry of a column. `area` is set if nothing remains to choose below it. */
export type Choice = { code: string; name: string; area?: string }
export type RegionPath = [province?: string, city?: string, area?: string]

const isCountyGroup = ({ name }: { name: string }) => name === '县'

/** Units directly below the province are listed among its cities; the counties of 重庆 are listed with its districts. */
function cityChoices(province: string): Choice[] {
  return getCities(province)
    .filter((city) => !isCountyGroup(city))
    .flatMap(({ code, name }) => {
      const areas = getAreas(code)
      if (isGroupingCity(name)) return areas.map((area) => ({ ...area, area: area.code }))
      return { code, name, ...(areas.length === 1 && { area: areas[0]!.code }) }
    })
}

const areaChoices = (city: string): Choice[] =>
  [
    ...getAreas(city),
    ...getCities(city.slice(0, 2))
      .filter(isCountyGroup)
      .flatMap(({ code }) => getAreas(code)),
  ].map(({ code, name }) => ({ code, name, area: code }))

/** Returns the three columns along a path. */
export function getColumns([province, city]: RegionPath): [Choice[], Choice[], Choice[]] {
  const cities = province ? cityChoices(province) : []
  const chosenCity = cities.find(({ code }) => code === city)
  return [
    [...provinces],
    cities,
    chosenCity && !chosenCity.area ? areaChoices(chosenCity.code) : [],
  ]
}

/** Returns the path to a code of any level. */
export function findPath(code = ''): RegionPath {
  const province = lookup(code.slice(0, 2))?.code
  if (!province) return []
  const cities = cityChoices(province)
  const onlyCity = cities.length === 1 ? cities[0] : undefined
  const city =
    cities.find((choice) => choice.code === code || choice.code === code.slice(0, 4)) ?? onlyCity
  return [province, city?.code, city && lookup(code, 'area') ? code : undefined]
}
