import {
  findIncompatibility,
  getHostInterface,
} from '@iot/shared/contract/release/buildCompatibility'
import { getBuild, readReleaseRecord } from './federation/builds'
import { remotes } from './federation/console'
import { expect, test } from './fixtures'

test('declares every name a remote uses in the interface of its host', async () => {
  const shell = getHostInterface(await readReleaseRecord(await getBuild('host')))
  for (const remote of remotes) {
    const record = await readReleaseRecord(await getBuild(remote))
    expect(Object.values(record.uses).flat()).not.toEqual([])
    expect(findIncompatibility(record, shell)).toBeUndefined()
  }
})
