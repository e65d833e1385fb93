import type { FastifyInstance } from 'fastify'
import { complain } from './core/db/outage'
import { alone } from './core/db/migrate'
import { seedScreens } from './seed'
import { Site } from './site/releases'
import type { SiteOptions } from './site/site'

/**
 * Adds the menus that published remotes declare, and the permissions of built-in roles for them, at the start and
 * soon after each release, whichever machine published it. Existing rows keep their administered values.
 */
export async function followSite(
  app: FastifyInstance,
  { folder, key, pollSeconds = 10 }: SiteOptions,
) {
  const site = new Site(folder, { publicKey: key })
  let seen = 0

  async function look() {
    const { revision, remotes } = await site.pointer()
    if (revision === seen) return
    const deployed = Object.entries(remotes).flatMap(([name, { build, canary }]) =>
      [build, canary?.build].flatMap((one) => (one ? { name, build: one } : [])),
    )
    const menus = await Promise.all(
      deployed.map(({ name, build }) =>
        site.servable(name, build).then(
          ({ record }) => record.menu,
          (error: unknown) => {
            complain(`${name} ${build} 的发布记录未取到`, error)
            return []
          },
        ),
      ),
    )
    const isNew = await alone(app.db, app.database.kind === 'server', () =>
      seedScreens(app.db, menus.flat()),
    )
    seen = revision
    if (isNew) app.rights.emit('changed')
  }

  const timer = setInterval(
    () => void look().catch((error) => complain('新发布的菜单未取到', error)),
    pollSeconds * 1000,
  ).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  await look().catch((error) => complain('新发布的菜单未取到', error))
}
