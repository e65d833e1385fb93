import { atomWithStorage } from 'jotai/utils'

const kept = 5

/** Codes chosen last, the newest first. Persisted as `recentRegions`. */
export const recentRegionsAtom = atomWithStorage<string[]>('recentRegions', [], undefined, {
  getOnInit: true,
})

export const withRecent = (recent: string[], code: string) =>
  [code, ...recent.filter((other) => other !== code)].slice(0, kept)
