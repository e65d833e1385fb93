import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The packaged program is one file with its other files beside it; from sources they are in `server/src`. */
export const isPackaged = existsSync(join(import.meta.dirname, 'migrations'))

/** Folder of the files that the program reads at run time, such as migrations. */
export const programFolder = isPackaged ? import.meta.dirname : join(import.meta.dirname, '..')
