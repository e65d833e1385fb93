import { createSingleFlight } from '@iot/shared/contract/singleFlight'
import type { FastifyInstance } from 'fastify'
import { logError } from './core/db/outage'
import { withMigrationLock } from './core/db/migrate'
import { seedScreens } from './seed'
import { Site } from './site/releases'
import type { SiteOptions } from './site/site'

/**
 * Adds the menus that published remotes declare, and the permissions of built-in roles for them, at the start and
 * soon after each release, whichever machine published it. Existing rows keep their administered values.
 */
export async function syncReleasedMenus(
  app: FastifyInstance,
  { folder, key, pollSeconds = 10 }: SiteOptions,
) {
  const site = new Site(folder, { publicKey: key })
  let lastRevision = 0

  // Two runs at once would insert the same menus twice.
  const syncMenus = createSingleFlight<void, [], void>(async () => {
    const { revision, remotes } = await site.pointer()
    if (revision === lastRevision) return
    const deployedBuilds = Object.entries(remotes).flatMap(([name, { build, canary }]) =>
      [build, canary?.build].flatMap((deployedBuild) =>
        deployedBuild ? { name, build: deployedBuild } : [],
      ),
    )
    const menus = await Promise.all(
      deployedBuilds.map(({ name, build }) =>
        site.readServableRecord(name, build).then(
          ({ record }) => record.menu,
          (error: unknown) => {
            logError(`${name} ${build} 的发布记录未取到`, error)
            return []
          },
        ),
      ),
    )
    const isNew = await withMigrationLock(app.db, app.database.kind === 'server', () =>
      seedScreens(app.db, menus.flat()),
    )
    lastRevision = revision
    if (isNew) app.rights.emit('changed')
  })

  const timer = setInterval(
    () => void syncMenus().catch((error) => logError('新发布的菜单未取到', error)),
    pollSeconds * 1000,
  ).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  await syncMenus().catch((error) => logError('新发布的菜单未取到', error))
}
