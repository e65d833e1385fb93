import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sourceMapsFolder } from '@iot/shared/contract/release/release'
import { getBuild, readReleaseRecord } from './federation/builds'
import { remotes } from './federation/console'
import { expect, test } from './fixtures'

/** A list must not load these packages: charts, floor plans, editors, card grids, file parsers, pinyin search and zod. */
const lazyPackages = [
  ...['uplot/', 'd3-zoom/', 'react-grid-layout/', 'papaparse/', 'pinyin-pro/'],
  ...['fflate/', 'saxen/', 'numfmt/', 'zod/'],
  ...['region-data/data/', 'shared/src/plan/floorPlan', 'pages/thingModel/ModelEditor'],
]
const isLazyPackage = (source: string) => lazyPackages.some((part) => source.includes(part))

/** Finds the files of a build that contain such packages, by their source maps. */
async function findLazyPackageFiles(dist: string) {
  const lazySourcesByFile = new Map<string, string[]>()
  for (const name of await readdir(join(dist, sourceMapsFolder))) {
    const map = gunzipSync(await readFile(join(dist, sourceMapsFolder, name))).toString()
    const { sources } = JSON.parse(map) as { sources: string[] }
    if (sources.some(isLazyPackage))
      lazySourcesByFile.set(name.replace('.map.gz', ''), sources.filter(isLazyPackage))
  }
  return lazySourcesByFile
}

/** Reads which files the first row of each list needs: those of the page, of the host's shared modules and of the remote. */
async function readListFiles() {
  const host = await getBuild('host')
  const page = await readFile(join(host, 'index.html'), 'utf8')
  const initialFiles = Object.keys(
    JSON.parse(/id="files">(.*?)<\/script>/.exec(page)![1]!) as object,
  ).filter((file) => file !== 'files.json')
  const { shared } = JSON.parse(await readFile(join(host, 'files.json'), 'utf8')) as {
    shared: Record<string, string[]>
  }
  const namedShares = JSON.parse(/id="shares">(.*?)<\/script>/.exec(page)![1]!) as {
    shared: Record<string, string[]>
  }
  const lists = []
  for (const remote of remotes) {
    const dist = await getBuild(remote)
    const { entry, needs, menu } = await readReleaseRecord(dist)
    for (const { path } of menu.filter(({ type }) => type === 'page')) {
      const requiredParts = [needs['*']!, needs[path]!]
      const lazyShares = requiredParts.flatMap((part) =>
        part.shared.filter((name) => name in shared),
      )
      const sharedFiles = lazyShares.flatMap((name) => shared[name]!)
      lists.push({
        path,
        unnamedShares: lazyShares.filter((name) => !(name in namedShares.shared)),
        remoteFiles: [entry, ...requiredParts.flatMap(({ files }) => files)].map((file) =>
          join(dist, file),
        ),
        hostFiles: [...new Set([...initialFiles, ...sharedFiles])].map((file) => join(host, file)),
        recordFiles: [join(host, 'index.html'), join(dist, 'release.json')],
      })
    }
  }
  return lists
}

test('loads no charts, plans, editors, schemas or search data with the first row of a list', async () => {
  const sourcesByFile = new Map<string, string[]>()
  for (const name of ['host', ...remotes] as const) {
    const dist = await getBuild(name)
    for (const [file, sources] of await findLazyPackageFiles(dist))
      sourcesByFile.set(join(dist, file), sources)
  }
  const violations: Record<string, string[]> = {}
  for (const { path, remoteFiles, hostFiles } of await readListFiles()) {
    const sources = [...remoteFiles, ...hostFiles].flatMap((file) => sourcesByFile.get(file) ?? [])
    if (sources.length > 0) violations[path] = [...new Set(sources)]
  }
  expect(violations).toEqual({})
  // A renamed package must fail this check, because the test would otherwise no longer look for it.
  const knownSources = [...sourcesByFile.values()].flat()
  expect(
    lazyPackages.filter((part) => !knownSources.some((source) => source.includes(part))),
  ).toEqual([])
})

/** `pnpm bench weight` also counts headers and answers, which are 10 to 20 kB, and has a limit of 480 kB. */
const maxFilesKb = 465

test('keeps the files before the first row of a list within their limit', async () => {
  const heavyLists: Record<string, number> = {}
  for (const { path, remoteFiles, hostFiles, recordFiles } of await readListFiles()) {
    const sizes = await Promise.all(
      [...remoteFiles, ...hostFiles, ...recordFiles].map((file) => stat(`${file}.br`)),
    )
    const kb = sizes.reduce((sum, { size }) => sum + size, 0) / 1000
    if (kb > maxFilesKb) heavyLists[path] = kb
  }
  expect(heavyLists).toEqual({})
})

test('names in the page the shared modules with which lists begin, so that none reads the other hashes first', async () => {
  const lists = (await readListFiles()).filter(({ unnamedShares }) => unnamedShares.length > 0)
  expect(lists.map(({ path, unnamedShares }) => ({ path, unnamedShares }))).toEqual([])
})
