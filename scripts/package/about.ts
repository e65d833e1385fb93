import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BuildInfo } from '@iot/shared/contract/platform/about.schema'
import { buildInfoFile, readBuildInfo } from 'server/src/core/version'
import { packages } from '../build/packages.ts'
import { root } from '../root.ts'
import { listShippedPackages, readInstalledPackages, readLicences } from './shippedPackages.ts'

/** Returns the commit of the sources; null outside a Git repository. */
function readCommit(): string | null {
  const { status, stdout } = spawnSync(
    'git',
    ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'],
    { cwd: root, encoding: 'utf8' },
  )
  return status === 0 ? stdout.trim() : null
}

const readProductPackages = () =>
  readInstalledPackages(
    ['server', ...packages.map(({ folder }) => folder)].map((folder) => join(root, folder)),
  )

/** Collects commit, time and the packages of others that server and console contain. */
export const createBuildInfo = (): BuildInfo => ({
  commit: readCommit(),
  buildTime: new Date().toISOString(),
  packages: listShippedPackages(readProductPackages()),
})

/** Returns the licence texts of these packages, which must go with copies of their code. */
export const readProductLicences = () => readLicences(readProductPackages())

/**
 * Writes the build information where the running sources read it. A start that built nothing and has the same commit
 * keeps the time of the last build.
 */
export async function writeBuildInfo({ hasBuilt }: { hasBuilt: boolean }) {
  const info = createBuildInfo()
  const last = readBuildInfo()
  const isSame =
    last?.commit === info.commit && JSON.stringify(last.packages) === JSON.stringify(info.packages)
  if (isSame && !hasBuilt) return
  await mkdir(dirname(buildInfoFile), { recursive: true })
  await writeFile(buildInfoFile, `${JSON.stringify(info, null, 1)}\n`)
}
