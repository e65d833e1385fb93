import { join } from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack'
import webpack, { type Compiler, type Configuration } from 'webpack'
import { root } from '../root.ts'
import { common, type Target } from './common.ts'
import { sharedModuleKeys } from './shared.ts'

export type RemoteTarget = Target & { name: string }

/** A remote exposes one module, `./routes`; all other settings follow from its name. */
export function remote({ name, ...target }: RemoteTarget): Configuration {
  const base = common(target)
  // The build id in the name lets a running page hold two builds of one remote side by side.
  const uniqueName = `${name}_${target.build.replace(/\W/g, '_')}`
  return {
    ...base,
    entry: {},
    output: { ...base.output, uniqueName, publicPath: 'auto' },
    optimization: {
      ...base.optimization,
      splitChunks: {
        ...base.optimization!.splitChunks,
        cacheGroups: {
          // The routes become part of the entry, because the entry is only loaded for them; this saves one file per
          // first screen.
          routes: {
            chunks: ({ name }) => name === 'routes',
            type: /^javascript\//,
            name: uniqueName,
            enforce: true,
          },
        },
      },
    },
    plugins: [
      ...base.plugins!,
      stableModuleIds,
      // Icons import their base by a relative path; only by its package name can it be shared.
      new webpack.NormalModuleReplacementPlugin(
        /^\.\.\/components\/AntdIcon(Light)?$/,
        (resolveData) => {
          resolveData.request = resolveData.request.replace('..', '@ant-design/icons/es')
        },
      ),
      new ModuleFederationPlugin({
        name: uniqueName,
        filename: 'entry.[contenthash:10].js',
        library: { type: 'var', name: uniqueName },
        exposes: { './routes': { import: './src/routes.tsx', name: 'routes' } },
        shared: Object.fromEntries(
          sharedModuleKeys.map((key) => [
            key,
            { singleton: true, import: false, requiredVersion: false },
          ]),
        ),
        shareStrategy: 'loaded-first',
        runtimePlugins: [join(root, 'scripts/webpack/remoteRuntime.ts')],
        experiments: {
          externalRuntime: true,
          optimization: {
            disableSnapshot: true,
            disableRemote: true,
            target: 'web',
          },
        },
        manifest: false,
        dts: false,
      }),
    ],
  }
}

/**
 * Sets fixed ids for the federation runtime's entry and the container. Their names contain a hash of absolute paths,
 * and ids derive from names, so without this the same sources would give different bytes in different folders.
 */
const stableModuleIds = {
  apply(compiler: Compiler) {
    compiler.hooks.compilation.tap('stableModuleIds', (compilation) =>
      compilation.hooks.beforeModuleIds.tap('stableModuleIds', (modules) => {
        for (const module of modules) {
          const name = module.identifier()
          if (/[\\/]\.federation[\\/]entry\./.test(name))
            compilation.chunkGraph.setModuleId(
              module,
              name.startsWith('container entry') ? 'container' : 'runtime',
            )
        }
      }),
    )
  },
}
