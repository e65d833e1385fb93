import { lookup, type Area, type City, type Region } from './index.ts'
import { loadRegions } from './regions.ts'

const groupBy = <T>(list: readonly T[], getKey: (item: T) => string) => {
  const groups = new Map<string, T[]>()
  for (const item of list) {
    const group = groups.get(getKey(item))
    if (group) group.push(item)
    else groups.set(getKey(item), [item])
  }
  return groups
}

let cityGroups: Map<string, City[]> | undefined
let areaGroups: Map<string, Area[]> | undefined

export const getCities = (provinceCode: string): readonly City[] =>
  (cityGroups ??= groupBy(loadRegions().cities, (city) => city.provinceCode)).get(provinceCode) ??
  []

export const getAreas = (cityCode: string): readonly Area[] =>
  (areaGroups ??= groupBy(loadRegions().areas, (area) => area.cityCode)).get(cityCode) ?? []

/** Returns province, city and area down to `code` (2, 4 or 6 digits); empty if the code is unknown. */
export function getRegionPath(code: string): Region[] {
  const path = [
    lookup(code.slice(0, 2)),
    code.length > 2 ? lookup(code.slice(0, 4), 'city') : undefined,
    code.length > 4 ? lookup(code, 'area') : undefined,
  ].filter((region) => region !== undefined)
  return path.at(-1)?.code === code ? path : []
}

/** True for a city that only groups areas governed directly by the province: 县 of 重庆, 省直辖县级行政区划 and others. */
export const isGroupingCity = (name: string) => name === '县' || name.includes('直辖')

/** Returns the names as people say them, without grouping cities and repeated names (广东省 / 东莞市, 北京市 / 东城区). */
export const getRegionNames = (code: string): string[] =>
  getRegionPath(code)
    .map(({ name }) => name)
    .filter(
      (name, index, names) =>
        name !== names[index - 1] && !(index === 1 && isGroupingCity(name) && names.length > 2),
    )

/**
 * @example formatRegionLabel('440305') // 广东省深圳市南山区
 * @example formatRegionLabel('500229', ' / ') // 重庆市 / 城口县
 */
export const formatRegionLabel = (code: string, separator = '') =>
  getRegionNames(code).join(separator)
