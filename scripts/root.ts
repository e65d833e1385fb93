import { join } from 'node:path'

/** The repository. Apart from what configures webpack: a start that builds nothing must not load it. */
export const root = join(import.meta.dirname, '..')
