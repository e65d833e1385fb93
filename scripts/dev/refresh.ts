import { join } from 'node:path'
import ReactRefreshPlugin from '@pmmmwh/react-refresh-webpack-plugin'
import refreshTypeScript from 'react-refresh-typescript'
import webpack, { type Configuration } from 'webpack'
import { root } from '../root.ts'
import { host } from '../webpack/host.ts'
import { remote, type RemoteTarget } from '../webpack/remote.ts'

/** `refreshRuntime.cjs` of the host puts it there; both sides must have the same. */
const hosts = join(root, 'scripts/dev/refreshOfHost.cjs')

/** The host as React needs it to exchange components where they stand. */
export function refreshableHost(target: { folder: string; build: string }): Configuration {
  const config = host({ ...target, dev: true })
  const { main } = config.entry as { main: string }
  return { ...config, entry: { main: [join(root, 'scripts/dev/refreshRuntime.cjs'), main] } }
}

/** A remote whose components are exchanged where they stand, with what they hold. */
export function refreshableRemote(target: RemoteTarget): Configuration {
  const config = remote({ ...target, dev: true, transformer: refreshTypeScript() })
  return {
    ...config,
    plugins: [
      ...config.plugins!,
      new webpack.HotModuleReplacementPlugin(),
      new ReactRefreshPlugin({ overlay: false, include: /\.tsx$/ }),
      new webpack.NormalModuleReplacementPlugin(/react-refresh[\\/]runtime(\.js)?$/, hosts),
    ],
  }
}
