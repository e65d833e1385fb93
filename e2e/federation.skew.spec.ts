import { getBuild, readReleaseRecord } from './federation/builds'
import { packageNames, openConsole, remotes } from './federation/console'
import { buildCommit, listCommits, type CommitBuilds } from './federation/commitBuilds'
import { expect, navigateTo, storeToken, signInByApi, test } from './fixtures'
import { ReleaseRefusal } from '../server/src/site/releaseRefusal'

// Building several commits takes minutes: `SKEW=5 pnpm e2e federation.skew` tests the last five that changed a build,
// `SKEW="<commit> <commit>"` the given ones.
const skewOption = process.env.SKEW
// The test is skipped unless the option is set, because ordinary runs cannot wait for the builds.
test.skip(!skewOption, 'SKEW says which builds')

test('opens every page of each remote in each host, or refuses the build with a reason', async ({
  page,
}) => {
  test.setTimeout(3_600_000)
  const currentBuilds = await Promise.all(
    packageNames.map(async (name) => [name, await getBuild(name)]),
  )
  const versions: CommitBuilds[] = []
  for (const commit of await listCommits(skewOption!)) versions.push(await buildCommit(commit))
  versions.push({
    commit: 'now',
    dists: Object.fromEntries(currentBuilds) as CommitBuilds['dists'],
  })

  await storeToken(page, (await signInByApi()).token)
  const results: Record<string, Record<string, string>> = {}
  for (const hostVersion of versions) {
    const testConsole = await openConsole({ dists: Object.values(hostVersion.dists) })
    for (const remote of remotes)
      for (const remoteVersion of versions) {
        const row = (results[`${remote} ${remoteVersion.commit}`] ??= {})
        const dist = remoteVersion.dists[remote]!
        const refusal = await testConsole.site.publish(dist).then(
          () => undefined,
          (error: unknown) => {
            if (error instanceof ReleaseRefusal) return error.message
            throw error
          },
        )
        if (refusal) {
          row[hostVersion.commit] = refusal.replace(/.*：/, '')
          continue
        }
        const pages = (await readReleaseRecord(dist)).menu.filter(({ type }) => type === 'page')
        await page.goto(`${testConsole.origin}/home`)
        for (const { path, name } of pages) {
          await navigateTo(page, path)
          await test.step(`${hostVersion.commit}: ${remote} of ${remoteVersion.commit}, ${name}`, async () => {
            await expect(page.getByRole('heading', { name, level: 1, exact: true })).toBeVisible()
            await expect(page.locator('.ant-skeleton, .ant-spin-spinning')).toHaveCount(0)
            await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
          })
        }
        row[hostVersion.commit] = `${pages.length} pages`
      }
    await testConsole.close()
  }
  console.table(results)
})
