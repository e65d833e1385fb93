import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const here = join(import.meta.dirname, '../../region-data')

/** The generator stands outside the package but uses the package's own build inputs. */
export const packageRequire = createRequire(join(here, 'package.json'))

export const inPackage = (path: string) => join(here, path)

/** Rows of a hand-reviewed table; `#` begins a comment line. */
export const rowsOf = (path: string): string[][] =>
  readFileSync(inPackage(path), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split('\t'))
