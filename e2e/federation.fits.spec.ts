import { misfit, shellOf } from '@iot/shared/contract/fits'
import { built, recordOf } from './federation/builds'
import { remotes, screens } from './federation/console'
import { expect, test, visit } from './fixtures'

test('every name a remote uses is one its host offers, by its record and in a page', async ({
  operator: page,
}) => {
  const shell = shellOf(await recordOf(await built('host')))
  for (const remote of remotes) {
    const record = await recordOf(await built(remote))
    expect(Object.values(record.uses).flat()).not.toEqual([])
    expect(misfit(record, shell)).toBeUndefined()
    // A page reads of what is loaded later in a file, and of the rest in the modules themselves.
    await visit(page, screens[remote].path)
    await expect(page.getByText(screens[remote].text, { exact: true }).first()).toBeVisible()
  }
})
