import { existsSync } from 'node:fs'
import { join } from 'node:path'
import ReactRefreshPlugin from '@pmmmwh/react-refresh-webpack-plugin'
import refreshTypeScript from 'react-refresh-typescript'
import webpack, { type Configuration } from 'webpack'
import { root } from '../root.ts'
import { host } from '../webpack/host.ts'
import { remote, type RemoteTarget } from '../webpack/remote.ts'

/**
 * The module returns the refresh runtime that the host's `refreshRuntime.cjs` installed, if it has one, because host and
 * remote must share one instance.
 */
const hostRefreshRuntime = join(root, 'scripts/dev/refreshOfHost.cjs')

/**
 * As for other builds, the cache is written to the disk from the second build on, because that takes a third of the
 * first one; until then it is kept in memory.
 */
const withCacheFromSecondBuild = (config: Configuration): Configuration => ({
  ...config,
  cache: existsSync(join(config.context!, 'dist')) ? config.cache : true,
})

/** Returns the configuration of a host with React Fast Refresh. */
export function createHostDevConfig(target: { folder: string; build: string }): Configuration {
  const config = withCacheFromSecondBuild(host({ ...target, dev: true }))
  const { main } = config.entry as { main: string }
  return { ...config, entry: { main: [join(root, 'scripts/dev/refreshRuntime.cjs'), main] } }
}

/** Returns the configuration of a remote with React Fast Refresh, which keeps the state of components. */
export function createRemoteDevConfig(target: RemoteTarget): Configuration {
  const config = withCacheFromSecondBuild(
    remote({ ...target, dev: true, transformer: refreshTypeScript() }),
  )
  return {
    ...config,
    plugins: [
      ...config.plugins!,
      new webpack.HotModuleReplacementPlugin(),
      new ReactRefreshPlugin({ overlay: false, include: /\.tsx$/ }),
      new webpack.NormalModuleReplacementPlugin(
        /react-refresh[\\/]runtime(\.js)?$/,
        (resolveData) => {
          if (resolveData.contextInfo.issuer !== hostRefreshRuntime)
            resolveData.request = hostRefreshRuntime
        },
      ),
    ],
  }
}
