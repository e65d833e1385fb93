import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const here = join(import.meta.dirname, '../../region-data')

/** The generator lies outside the package but uses the build inputs of the package. */
export const packageRequire = createRequire(join(here, 'package.json'))

export const inPackage = (path: string) => join(here, path)

/** Reads the rows of a hand-reviewed TSV table; lines that begin with `#` are comments. */
export const rowsOf = (path: string): string[][] =>
  readFileSync(inPackage(path), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split('\t'))
