import { atomWithStorage, createJSONStorage, unstable_withStorageValidator } from 'jotai/utils'

/**
 * Creates an atom with a copy in localStorage under `key`; other tabs follow it and RESET removes the copy. A stored
 * text that is broken or not accepted by `isValid` counts as absent.
 */
export const createPersistedAtom = <T>(
  key: string,
  initial: T,
  isValid: (value: unknown) => value is T,
) =>
  atomWithStorage<T>(
    key,
    initial,
    unstable_withStorageValidator(isValid)(createJSONStorage<unknown>(() => localStorage)),
    {
      getOnInit: true,
    },
  )

/** @deprecated Use {@link createPersistedAtom}; kept for remotes that were built before. */
export const storedAtom = createPersistedAtom
