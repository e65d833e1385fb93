import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { misfit, shellOf } from '@iot/shared/contract/fits'
import { built, recordOf } from './federation/builds'
import { remotes } from './federation/console'
import { expect, test } from './fixtures'

test('every name a remote uses is one the host offers, by its record and by the file that pages read', async () => {
  const dist = await built('host')
  const host = await recordOf(dist)
  const { offers } = JSON.parse(await readFile(join(dist, 'files.json'), 'utf8')) as {
    offers: Record<string, string[]>
  }
  const byRecord = shellOf(host)
  // What stands in neither exports its default alone.
  const byFile = {
    ...byRecord,
    exportsOf: (module: string) =>
      offers[module] ?? (module in host.offers ? ['default'] : undefined),
  }
  for (const remote of remotes) {
    const record = await recordOf(await built(remote))
    expect(Object.values(record.uses).flat()).not.toEqual([])
    expect(misfit(record, byRecord)).toBeUndefined()
    expect(misfit(record, byFile)).toBeUndefined()
  }
})
