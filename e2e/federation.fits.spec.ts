import { misfit, shellOf } from '@iot/shared/contract/fits'
import { built, recordOf } from './federation/builds'
import { remotes } from './federation/console'
import { expect, test } from './fixtures'

test('every name a remote uses is one its host offers', async () => {
  const shell = shellOf(await recordOf(await built('host')))
  for (const remote of remotes) {
    const record = await recordOf(await built(remote))
    expect(Object.values(record.uses).flat()).not.toEqual([])
    expect(misfit(record, shell)).toBeUndefined()
  }
})
