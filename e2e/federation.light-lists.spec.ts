import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { mapsFolder } from '@iot/shared/contract/release'
import { built, recordOf } from './federation/builds'
import { remotes } from './federation/console'
import { expect, test } from './fixtures'

/** A list must not load these packages: charts, floor plans, editors, card grids, file parsers and pinyin search. */
const later = [
  ...['uplot/', 'd3-zoom/', 'react-grid-layout/', 'papaparse/', 'pinyin-pro/'],
  ...['fflate/', 'saxen/', 'numfmt/'],
  ...['region-data/data/', 'shared/src/plan/floorPlan', 'pages/thingModel/ModelEditor'],
]
const isLater = (source: string) => later.some((part) => source.includes(part))

/** Finds the files of a build that contain such packages, by their source maps. */
async function heavyFiles(dist: string) {
  const found = new Map<string, string[]>()
  for (const name of await readdir(join(dist, mapsFolder))) {
    const map = gunzipSync(await readFile(join(dist, mapsFolder, name))).toString()
    const { sources } = JSON.parse(map) as { sources: string[] }
    if (sources.some(isLater)) found.set(name.replace('.map.gz', ''), sources.filter(isLater))
  }
  return found
}

test('no list brings charts, plans, editors or data to search in with its first row', async () => {
  const host = await built('host')
  const page = await readFile(join(host, 'index.html'), 'utf8')
  const atOnce = Object.keys(JSON.parse(/id="files">(.*?)<\/script>/.exec(page)![1]!) as object)
  const { shared } = JSON.parse(await readFile(join(host, 'files.json'), 'utf8')) as {
    shared: Record<string, string[]>
  }
  const ofHost = await heavyFiles(host)
  const known = [...ofHost.values()].flat()
  const carried: Record<string, string[]> = {}
  for (const remote of remotes) {
    const dist = await built(remote)
    const ofRemote = await heavyFiles(dist)
    known.push(...[...ofRemote.values()].flat())
    const { entry, needs, menu } = await recordOf(dist)
    for (const { path } of menu.filter(({ type }) => type === 'page')) {
      const both = [needs['*']!, needs[path]!]
      const own = [entry, ...both.flatMap(({ files }) => files)]
      const brought = both.flatMap((one) => one.shared.flatMap((name) => shared[name] ?? []))
      const sources = [
        ...own.flatMap((file) => ofRemote.get(file) ?? []),
        ...[...atOnce, ...brought].flatMap((file) => ofHost.get(file) ?? []),
      ]
      if (sources.length > 0) carried[path] = [...new Set(sources)]
    }
  }
  expect(carried).toEqual({})
  // A renamed package must fail this check, because the test would otherwise no longer look for it.
  expect(later.filter((part) => !known.some((source) => source.includes(part)))).toEqual([])
})
