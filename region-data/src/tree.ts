import { lookup, type Area, type City, type Region } from './index.ts'
import { regions } from './regions.ts'

const groupBy = <T>(list: readonly T[], keyOf: (item: T) => string) => {
  const groups = new Map<string, T[]>()
  for (const item of list) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

let cityGroups: Map<string, City[]> | undefined
let areaGroups: Map<string, Area[]> | undefined

export const citiesOf = (provinceCode: string): readonly City[] =>
  (cityGroups ??= groupBy(regions().cities, (city) => city.provinceCode)).get(provinceCode) ?? []

export const areasOf = (cityCode: string): readonly Area[] =>
  (areaGroups ??= groupBy(regions().areas, (area) => area.cityCode)).get(cityCode) ?? []

/** Returns province, city and area down to `code` (2, 4 or 6 digits); empty if the code is unknown. */
export function pathOf(code: string): Region[] {
  const path = [
    lookup(code.slice(0, 2)),
    code.length > 2 ? lookup(code.slice(0, 4), 'city') : undefined,
    code.length > 4 ? lookup(code, 'area') : undefined,
  ].filter((region) => region !== undefined)
  return path.at(-1)?.code === code ? path : []
}

/** True for a city that only groups areas governed directly by the province: 县 of 重庆, 省直辖县级行政区划 and others. */
export const isGathering = (name: string) => name === '县' || name.includes('直辖')

/** Returns the names as people say them, without grouping cities and repeated names (广东省 / 东莞市, 北京市 / 东城区). */
export const namesOf = (code: string): string[] =>
  pathOf(code)
    .map(({ name }) => name)
    .filter(
      (name, at, names) =>
        name !== names[at - 1] && !(at === 1 && isGathering(name) && names.length > 2),
    )

/**
 * @example labelOf('440305') // 广东省深圳市南山区
 * @example labelOf('500229', ' / ') // 重庆市 / 城口县
 */
export const labelOf = (code: string, separator = '') => namesOf(code).join(separator)
