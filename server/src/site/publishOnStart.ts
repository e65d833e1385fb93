import { readRecord, UnsignedBuild } from './buildStore.ts'
import { getDeployed, getPointerAfter } from './pointer.ts'
import { ReleaseRefusal } from './releaseRefusal.ts'
import type { Site } from './releases.ts'

const why = '启动'

/**
 * Publishes builds at the start. If a build is refused, for example because it is unsigned, that is reported, and the
 * platform starts with the builds it already serves. Remotes that the new host cannot run are reported at every start.
 */
export async function publishOnStart(site: Site, dists: string[]) {
  try {
    const { remotes } = await publishNewBuilds(site, dists)
    for (const [name, { build, incompatibility }] of Object.entries(remotes))
      if (incompatibility)
        process.stderr.write(
          `${name} ${build} 不能与当前控制台一起使用：${incompatibility}；重新发布之前，它的页面只显示这个原因\n`,
        )
  } catch (error) {
    if (!(error instanceof ReleaseRefusal)) throw error
    const advice =
      error instanceof UnsignedBuild
        ? `请用 pnpm release publish all --key <私钥> --site ${site.folder}`
        : '继续提供原有版本'
    process.stderr.write(`${error.message}，没有发布；${advice}\n`)
  }
}

/**
 * Publishes builds except those that the last start has already published, so that a restart neither undoes a rollback
 * nor ends a canary. The host belongs to this version of the server, so it is published even if a remote from
 * elsewhere cannot run in it.
 */
async function publishNewBuilds(site: Site, dists: string[]) {
  const ledger = await site.ledger()
  const pointer = getPointerAfter(ledger)
  const newDists: string[] = []
  for (const dist of dists) {
    const { name, build } = await readRecord(dist)
    const now = getDeployed(pointer, name)
    const lastStart = ledger.findLast((line) => line.why === why && line.name === name)
    if (!now || (now.build !== build && lastStart?.build !== build)) newDists.push(dist)
  }
  try {
    return await site.publish(newDists, { why })
  } catch (error) {
    if (!(error instanceof ReleaseRefusal) || error instanceof UnsignedBuild) throw error
    // A build that an operator rolled back to may be incompatible with the new ones, so all builds that were made
    // together are published.
    return site.publish(dists, { why, marksIncompatible: true })
  }
}
