import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const packageFolder = join(import.meta.dirname, '../../region-data')

/** The generator lies outside the package but uses the build inputs of the package. */
export const packageRequire = createRequire(join(packageFolder, 'package.json'))

export const resolveInPackage = (path: string) => join(packageFolder, path)

/** Reads the rows of a hand-reviewed TSV table; lines that begin with `#` are comments. */
export const readRows = (path: string): string[][] =>
  readFileSync(resolveInPackage(path), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split('\t'))
