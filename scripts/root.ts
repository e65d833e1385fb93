import { join } from 'node:path'

/**
 * Path of the repository. It has its own file, because a start without a build must not load the webpack
 * configuration.
 */
export const root = join(import.meta.dirname, '..')
