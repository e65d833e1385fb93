import type { Configuration } from 'webpack'
import type { AppName } from '../../shared/src/contract/release/release.schema.ts'
import { host } from '../webpack/host.ts'
import { remote } from '../webpack/remote.ts'
import { CheckTypes } from './checkTypes.ts'
import { addCompletion } from './make.ts'
import { computePackageBuildId, findPackage } from './packages.ts'

/** Returns the configuration of a package, for webpack-cli: `npx webpack` in its folder builds it. */
export async function createBuildConfig(name: AppName): Promise<Configuration> {
  process.env.NODE_ENV ??= 'production'
  const pkg = findPackage(name)!
  const build = await computePackageBuildId(pkg)
  const config = name === 'host' ? host({ ...pkg, build }) : remote({ ...pkg, build })
  // The first start leaves the check to later builds.
  if (process.env.CHECK_TYPES !== '0') config.plugins!.push(new CheckTypes(pkg.folder))
  return addCompletion(config, pkg, build)
}
