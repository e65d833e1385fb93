import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sourceMapsFolder } from '@iot/shared/contract/release/release'
import { getBuild, readReleaseRecord } from './federation/builds'
import { remotes } from './federation/console'
import { expect, test } from './fixtures'

/** A list must not load these packages: charts, floor plans, editors, card grids, file parsers and pinyin search. */
const lazyPackages = [
  ...['uplot/', 'd3-zoom/', 'react-grid-layout/', 'papaparse/', 'pinyin-pro/'],
  ...['fflate/', 'saxen/', 'numfmt/'],
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

test('loads no charts, plans, editors or search data with the first row of a list', async () => {
  const host = await getBuild('host')
  const page = await readFile(join(host, 'index.html'), 'utf8')
  const initialFiles = Object.keys(
    JSON.parse(/id="files">(.*?)<\/script>/.exec(page)![1]!) as object,
  )
  const { shared } = JSON.parse(await readFile(join(host, 'files.json'), 'utf8')) as {
    shared: Record<string, string[]>
  }
  const hostSources = await findLazyPackageFiles(host)
  const knownSources = [...hostSources.values()].flat()
  const violations: Record<string, string[]> = {}
  for (const remote of remotes) {
    const dist = await getBuild(remote)
    const remoteSources = await findLazyPackageFiles(dist)
    knownSources.push(...[...remoteSources.values()].flat())
    const { entry, needs, menu } = await readReleaseRecord(dist)
    for (const { path } of menu.filter(({ type }) => type === 'page')) {
      const requiredParts = [needs['*']!, needs[path]!]
      const ownFiles = [entry, ...requiredParts.flatMap(({ files }) => files)]
      const sharedFiles = requiredParts.flatMap((part) =>
        part.shared.flatMap((name) => shared[name] ?? []),
      )
      const sources = [
        ...ownFiles.flatMap((file) => remoteSources.get(file) ?? []),
        ...[...initialFiles, ...sharedFiles].flatMap((file) => hostSources.get(file) ?? []),
      ]
      if (sources.length > 0) violations[path] = [...new Set(sources)]
    }
  }
  expect(violations).toEqual({})
  // A renamed package must fail this check, because the test would otherwise no longer look for it.
  expect(
    lazyPackages.filter((part) => !knownSources.some((source) => source.includes(part))),
  ).toEqual([])
})
