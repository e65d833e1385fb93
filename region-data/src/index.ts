import type { Area, City, Province } from './decode.ts'
import { createLazyList } from './lazy.ts'
import { loadRegions } from './regions.ts'

export type { Area, City, Province }
export type Level = 'province' | 'city' | 'area'
export type Region = Province | City | Area

/** The 31 province-level units of mainland China, sorted by code. */
export const provinces = createLazyList(() => loadRegions().provinces)
export const cities = createLazyList(() => loadRegions().cities)
export const areas = createLazyList(() => loadRegions().areas)

const indexByCode = <T extends Region>(list: readonly T[]) =>
  new Map(list.map((region) => [region.code, region]))

const buildIndex = () =>
  new Map<unknown, Map<unknown, Region>>([
    ['province', indexByCode(loadRegions().provinces)],
    ['city', indexByCode(loadRegions().cities)],
    ['area', indexByCode(loadRegions().areas)],
  ])

let regionIndex: ReturnType<typeof buildIndex> | undefined

/**
 * Returns the record with this code on this level; undefined for an unknown code or level.
 * @example lookup('440305', 'area')?.name // 南山区
 */
export function lookup(code: string, level?: 'province'): Province | undefined
export function lookup(code: string, level: 'city'): City | undefined
export function lookup(code: string, level: 'area'): Area | undefined
export function lookup(code: string, level: Level): Region | undefined
export function lookup(code: string, level: Level = 'province'): Region | undefined {
  return (regionIndex ??= buildIndex()).get(level)?.get(code)
}
