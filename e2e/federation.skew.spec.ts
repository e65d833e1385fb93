import { built, recordOf } from './federation/builds'
import { names, openConsole, remotes } from './federation/console'
import { buildsOf, commitsOf, type Age } from './federation/former'
import { expect, go, keepToken, signedIn, test } from './fixtures'
import { Refused } from '../server/src/site/refused'

// Building several commits takes minutes: `SKEW=5 pnpm e2e federation.skew` tests the last five that changed a build,
// `SKEW="<commit> <commit>"` the given ones.
const wanted = process.env.SKEW
test.skip(!wanted, 'SKEW says which builds')

test('every page of each remote opens in each host, or its build is refused in words', async ({
  page,
}) => {
  test.setTimeout(3_600_000)
  const present = await Promise.all(names.map(async (name) => [name, await built(name)]))
  const ages: Age[] = []
  for (const commit of await commitsOf(wanted!)) ages.push(await buildsOf(commit))
  ages.push({ commit: 'now', dists: Object.fromEntries(present) as Age['dists'] })

  await keepToken(page, (await signedIn()).token)
  const table: Record<string, Record<string, string>> = {}
  for (const host of ages) {
    const console_ = await openConsole({ dists: Object.values(host.dists) })
    for (const remote of remotes)
      for (const age of ages) {
        const row = (table[`${remote} ${age.commit}`] ??= {})
        const dist = age.dists[remote]!
        const refused = await console_.site.publish(dist).then(
          () => undefined,
          (error: unknown) => {
            if (error instanceof Refused) return error.message
            throw error
          },
        )
        if (refused) {
          row[host.commit] = refused.replace(/.*：/, '')
          continue
        }
        const pages = (await recordOf(dist)).menu.filter(({ type }) => type === 'page')
        await page.goto(`${console_.origin}/home`)
        for (const { path, name } of pages) {
          await go(page, path)
          await test.step(`${host.commit}: ${remote} of ${age.commit}, ${name}`, async () => {
            await expect(page.getByRole('heading', { name, level: 1, exact: true })).toBeVisible()
            await expect(page.locator('.ant-skeleton, .ant-spin-spinning')).toHaveCount(0)
            await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
          })
        }
        row[host.commit] = `${pages.length} pages`
      }
    await console_.close()
  }
  console.table(table)
})
