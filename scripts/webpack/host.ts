import webpack, { type Configuration } from 'webpack'
import { common, type Target } from './common.ts'

/** The host is an ordinary build: it learns its remotes at run time. */
export function host(target: Target): Configuration {
  const base = common(target)
  return {
    ...base,
    entry: { main: './src/index.ts' },
    output: { ...base.output, uniqueName: `host_${target.build.replace(/\W/g, '_')}`, publicPath: 'auto' },
    plugins: [
      ...base.plugins!,
      new webpack.DefinePlugin({
        HOST_BUILD: JSON.stringify(target.build),
        FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: true,
        ENV_TARGET: JSON.stringify('web'),
      }),
    ],
  }
}
