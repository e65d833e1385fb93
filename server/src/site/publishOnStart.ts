import { UnsignedBuild } from './buildStore.ts'
import { ReleaseRefusal } from './releaseRefusal.ts'
import type { Site } from './releases.ts'

/**
 * Publishes builds at the start. If a build is refused, for example because it is unsigned, that is reported, and the
 * platform starts with the builds it already serves. Remotes that the new host cannot run are reported at every start.
 */
export async function publishOnStart(site: Site, dists: string[]) {
  try {
    const { remotes } = await site.publishAtStart(dists)
    for (const [name, { build, incompatibility }] of Object.entries(remotes))
      if (incompatibility)
        process.stderr.write(
          `${name} ${build} 不能与当前控制台一起使用：${incompatibility}；重新发布之前，它的页面只显示这个原因\n`,
        )
  } catch (error) {
    const isServed = (await site.pointer()).host !== undefined
    if (!(error instanceof UnsignedBuild || (error instanceof ReleaseRefusal && isServed)))
      throw error
    process.stderr.write(
      error instanceof UnsignedBuild
        ? `${error.message}，没有发布；请用 pnpm release publish all --key <私钥> --site ${site.folder}\n`
        : `${error.message}，没有发布，继续提供原有版本\n`,
    )
  }
}
