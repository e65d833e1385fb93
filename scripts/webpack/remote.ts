import { join } from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack'
import type { Compiler, Configuration, Module } from 'webpack'
import { root } from '../root.ts'
import { common, fallbackName, type BuildTarget } from './common.ts'
import { isConsumed, isFallbackChunk } from './moduleSets.ts'
import { createShared, iconBase } from './shared.ts'

/** The entry of a remote, beside `mf-manifest.json`. */
export const entryFile = 'remoteEntry.js'

export type RemoteTarget = BuildTarget & { name: string }

/** A remote exposes one module, `./routes`; all other settings follow from its name. */
export function remote({ name, ...target }: RemoteTarget): Configuration {
  const base = common(target)
  const shared = createShared(target.folder)
  // The build id in the name lets a running page hold two builds of one remote side by side. During development it is
  // constant, because updates are sent to the page by this name.
  const uniqueName = target.dev ? name : `${name}_${target.build.replace(/\W/g, '_')}`
  return {
    ...base,
    entry: {},
    output: { ...base.output, uniqueName, publicPath: 'auto' },
    optimization: {
      ...base.optimization,
      splitChunks: {
        ...base.optimization!.splitChunks,
        chunks: (chunk) => !chunk.hasRuntime(),
        cacheGroups: {
          // The copies of shared modules are needed by other hosts only, and are few files instead of one per module.
          fallback: {
            chunks: isFallbackChunk,
            test: (module: Module) => !isConsumed(module),
            name: fallbackName,
            priority: 10,
            enforce: true,
          },
        },
      },
    },
    plugins: [
      ...base.plugins!,
      stableModuleIds,
      new ModuleFederationPlugin({
        name,
        filename: entryFile,
        exposes: { './routes': './src/routes.tsx' },
        shared: {
          ...shared,
          [iconBase]: { ...shared[iconBase], allowNodeModulesSuffixMatch: true },
        },
        shareStrategy: 'loaded-first',
        // A change that is saved during development is applied in the page.
        runtimePlugins: target.dev ? [join(root, 'scripts/webpack/remoteRuntime.ts')] : [],
        experiments: { optimization: { disableRemote: true, target: 'web' } },
        manifest: true,
        // Other hosts get the declaration of `./routes` alone, which the options of this file let the compiler write
        // without reading any other source.
        dts: !target.dev && {
          tsConfigPath: 'tsconfig.exposes.json',
          generateTypes: { compileInChildProcess: false, deleteTypesFolder: true },
          consumeTypes: false,
        },
        dev: false,
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
