import { join } from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack'
import webpack, { type Compiler, type Configuration } from 'webpack'
import { root } from '../root.ts'
import { common, type Target } from './common.ts'
import { singletons } from './shared.ts'

export type RemoteTarget = Target & { name: string }

/** A remote exposes one module, `./routes`; everything else follows from its name. */
export function remote({ name, ...target }: RemoteTarget): Configuration {
  const base = common(target)
  // With the build in the name a running page holds two builds of one remote side by side.
  const unique = `${name}_${target.build.replace(/\W/g, '_')}`
  return {
    ...base,
    entry: {},
    output: { ...base.output, uniqueName: unique, publicPath: 'auto' },
    optimization: {
      ...base.optimization,
      splitChunks: {
        ...base.optimization!.splitChunks,
        cacheGroups: {
          // The routes are part of the entry, which nobody asks for but for them: one file less for each first screen.
          routes: {
            chunks: ({ name }) => name === 'routes',
            type: /^javascript\//,
            name: unique,
            enforce: true,
          },
        },
      },
    },
    plugins: [
      ...base.plugins!,
      runtimeNamed,
      // Icons import their base by a relative path; by its package name it can be shared.
      new webpack.NormalModuleReplacementPlugin(/^\.\.\/components\/AntdIcon(Light)?$/, (found) => {
        found.request = found.request.replace('..', '@ant-design/icons/es')
      }),
      new ModuleFederationPlugin({
        name: unique,
        filename: 'entry.[contenthash:10].js',
        library: { type: 'var', name: unique },
        exposes: { './routes': { import: './src/routes.tsx', name: 'routes' } },
        shared: Object.fromEntries(
          singletons.map((key) => [
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
 * The federation runtime's own entry is a file named after a hash of absolute paths, the container's module is named after
 * that file, and ids are made of names: with ids of their own the same sources give the same bytes in every folder.
 */
const runtimeNamed = {
  apply(compiler: Compiler) {
    compiler.hooks.compilation.tap('runtimeNamed', (compilation) =>
      compilation.hooks.beforeModuleIds.tap('runtimeNamed', (modules) => {
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
