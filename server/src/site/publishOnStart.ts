import { ReleaseRefusal } from './releaseRefusal.ts'
import { type Site, UnsignedBuild } from './releases.ts'

/**
 * Publishes builds at the start. A build that is unsigned or incompatible with a remote is reported, and the platform
 * starts with the builds it already serves.
 */
export async function publishOnStart(site: Site, dists: string[]) {
  try {
    await site.publishAtStart(dists)
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
