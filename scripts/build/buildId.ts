import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The paths of input files and folders are relative to `base`, so that they are the same on every machine. */
type Inputs = { base: string; paths: string[] }

async function listFiles({ base, paths }: Inputs) {
  const filesByPath = paths.map(async (path) => {
    const entries = await readdir(join(base, path), {
      withFileTypes: true,
      recursive: true,
    }).catch(() => null)
    if (!entries) return [path]
    return entries
      .filter((entry) => entry.isFile() && !/\.(test\.tsx?|fixture\.ts|md)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(base.length + 1))
  })
  return (await Promise.all(filesByPath)).flat().sort()
}

/** Computes the build id; the same inputs give the same id on every machine. */
export async function computeBuildId(...inputSets: Inputs[]): Promise<string> {
  const hash = createHash('sha256')
  for (const inputs of inputSets)
    for (const file of await listFiles(inputs))
      hash
        .update(`${file}\0`)
        .update(await readFile(join(inputs.base, file)).catch(() => ''))
        .update('\0')
  return hash.digest('hex').slice(0, 12)
}
