import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { cp, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { sourceMapsFolder } from '@iot/shared/contract/release/release'
import type { ReleaseRecord } from '@iot/shared/contract/release/release.schema'
import { computePackageBuildId, packages } from '../../scripts/build/packages'

export type PackageName = ReleaseRecord['name']
type BuildEdit = {
  build?: string
  record?: Partial<ReleaseRecord>
  file?: (name: string, text: string, record: ReleaseRecord) => string
}

const tempFolders: string[] = []
process.once('exit', () => tempFolders.forEach((folder) => rmSync(folder, { recursive: true })))

/** Creates a folder that is removed when the worker ends. */
export async function createTemporaryFolder(prefix: string) {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  tempFolders.push(folder)
  return folder
}

export const sha384 = (content: Buffer | string) =>
  `sha384-${createHash('sha384').update(content).digest('base64')}`

/** Returns the folder into which the product's own start has built a package. */
export async function getBuild(name: PackageName): Promise<string> {
  const buildPackage = packages.find((candidate) => candidate.name === name)!
  const folder = join(import.meta.dirname, '../..', buildPackage.folder, 'dist')
  const buildFolder = join(folder, await computePackageBuildId(buildPackage))
  if (existsSync(join(buildFolder, 'release.json'))) return buildFolder
  throw new Error(`${buildPackage.folder} is not built; run pnpm build`)
}

export const readReleaseRecord = async (dist: string) =>
  JSON.parse(await readFile(join(dist, 'release.json'), 'utf8')) as ReleaseRecord

/** Creates a variant of a real build with another id and files changed by `file`; the hashes are recomputed. */
export async function createVariant(
  dist: string,
  { build, record: recordChanges, file = (_, text) => text }: BuildEdit,
): Promise<string> {
  const record = await readReleaseRecord(dist)
  const variantFolder = join(await createTemporaryFolder('build-'), build ?? record.build)
  // The compressed copies are left out, because they contain the original file, and so are source maps.
  await cp(dist, variantFolder, {
    recursive: true,
    filter: (path) => !/\.(br|gz)$/.test(path) && basename(path) !== sourceMapsFolder,
  })
  const hashes: Record<string, string> = {}
  const rewriteFile = async (name: string, transform: (text: string) => string) => {
    const text = transform(
      (await readFile(join(variantFolder, name), 'utf8')).replaceAll(
        record.build,
        build ?? record.build,
      ),
    )
    await writeFile(join(variantFolder, name), text)
    hashes[name] = sha384(text)
  }
  const names = await readdir(variantFolder)
  for (const name of names.filter((candidate) => /\.(js|css)$/.test(candidate)))
    await rewriteFile(name, (text) => file(name, text, record))
  // The host's page holds the hashes of the files that load first and of the file with all other hashes.
  for (const name of ['files.json', 'index.html'].filter((candidate) => names.includes(candidate)))
    await rewriteFile(name, (text) =>
      Object.entries(hashes).reduce(
        (page, [name, hash]) => page.replaceAll(record.files[name]!, hash),
        text,
      ),
    )
  const files = Object.fromEntries(
    Object.entries(record.files).map(([name, hash]) => [name, hashes[name] ?? hash]),
  )
  await writeFile(
    join(variantFolder, 'release.json'),
    JSON.stringify({ ...record, ...recordChanges, build: build ?? record.build, files }),
  )
  return variantFolder
}

/** Creates the n-th build after a real one; `label` is a text of its screens that gets the number appended. */
export const createNextBuild = (
  dist: string,
  buildNumber: number,
  label?: string,
  record?: Partial<ReleaseRecord>,
) =>
  createVariant(dist, {
    build: `0000000000${String(buildNumber).padStart(2, '0')}`,
    record,
    file: (_, text) => (label ? text.replaceAll(`"${label}"`, `"${label}·${buildNumber}"`) : text),
  })
