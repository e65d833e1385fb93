import type { Area, City, Province } from './decode.ts'
import { lazyList } from './lazy.ts'
import { regions } from './regions.ts'

export type { Area, City, Province }
export type Level = 'province' | 'city' | 'area'
export type Region = Province | City | Area

/** The 31 province-level units of mainland China, sorted by code. */
export const provinces = lazyList(() => regions().provinces)
export const cities = lazyList(() => regions().cities)
export const areas = lazyList(() => regions().areas)

const byCode = <T extends Region>(list: readonly T[]) =>
  new Map(list.map((region) => [region.code, region]))

const index = () =>
  new Map<unknown, Map<unknown, Region>>([
    ['province', byCode(regions().provinces)],
    ['city', byCode(regions().cities)],
    ['area', byCode(regions().areas)],
  ])

let indexed: ReturnType<typeof index> | undefined

/**
 * Returns the record with this code on this level; undefined for an unknown code or level.
 * @example lookup('440305', 'area')?.name // 南山区
 */
export function lookup(code: string, level?: 'province'): Province | undefined
export function lookup(code: string, level: 'city'): City | undefined
export function lookup(code: string, level: 'area'): Area | undefined
export function lookup(code: string, level: Level): Region | undefined
export function lookup(code: string, level: Level = 'province'): Region | undefined {
  return (indexed ??= index()).get(level)?.get(code)
}
