import { atomWithStorage } from 'jotai/utils'

const maxRecentRegions = 5

/** Recently chosen codes, the newest first. The atom is persisted as `recentRegions`. */
export const recentRegionsAtom = atomWithStorage<string[]>('recentRegions', [], undefined, {
  getOnInit: true,
})

export const addRecentRegion = (recentCodes: string[], code: string) =>
  [code, ...recentCodes.filter((otherCode) => otherCode !== code)].slice(0, maxRecentRegions)
