import { readPageMeta } from '../contract/pageMeta'

export { readPageMeta }

/** @deprecated Use {@link readPageMeta}; kept for remotes that were built before. */
export const pageMeta = readPageMeta
