import { readFileSync } from 'node:fs'
import { z } from 'zod'

const packageJsonUrl = new URL('../../../package.json', import.meta.url)

/** All packages of the product carry the same version. */
export const { version: productVersion } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(packageJsonUrl, 'utf8')))
