import { atomWithStorage } from 'jotai/utils'

const kept = 5

/** Recently chosen codes, the newest first. The atom is persisted as `recentRegions`. */
export const recentRegionsAtom = atomWithStorage<string[]>('recentRegions', [], undefined, {
  getOnInit: true,
})

export const withRecent = (recent: string[], code: string) =>
  [code, ...recent.filter((other) => other !== code)].slice(0, kept)
