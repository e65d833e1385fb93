import { join } from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack'
import webpack, { type Compilation, type Configuration, type Module } from 'webpack'
import { root } from '../root.ts'
import { common, type Target } from './common.ts'
import { ModuleSets, collectModules, getProvidedKey } from './moduleSets.ts'
import { createShared } from './shared.ts'

/** Shared modules that nearly every list uses come with the shell; the rest of antd and ahooks loads on demand. */
const shellShares = [
  ...['button', 'flex', 'input', 'select', 'space', 'table', 'tag', 'tooltip'].map(
    (name) => `antd/es/${name}`,
  ),
  'ahooks/es/useRequest',
  ...[
    ...['areaFilter', 'batch', 'confirmRemove', 'feedback', 'field', 'filters'],
    ...['importExport', 'lazyPart'],
    ...['listTable', 'listTabs', 'onDemand', 'panel', 'right', 'status', 'toolbar', 'useColumns'],
    ...['useDraft', 'useMyTasks', 'usePage', 'waitingLines'],
  ].map((name) => `@iot/shared/ui/${name}`),
]
/** Parts of `shared` that every screen may use. */
const shellSharePattern =
  /^(react|react-dom|react-router|react-router-dom|jotai|jotai\/utils|dayjs|@ant-design\/icons\/.*|@iot\/shared\/(session|client)\/.*)$/

/**
 * Computes which modules come with the login page and which with the shell, because each is one file: browsers load
 * six files at a time over HTTP/1.1.
 */
function collectInitialModules(compilation: Compilation) {
  const modules = [...compilation.modules]
  const findSource = (file: string) =>
    modules.filter((module) => module.nameForCondition()?.endsWith(join('host/src', file)))
  const shares = modules.filter((module) => {
    const key = getProvidedKey(module)
    return shellShares.includes(key) || shellSharePattern.test(key)
  })
  const options = { isThroughShared: true }
  const base = collectModules(compilation, findSource('main.tsx'), options)
  const shell = collectModules(compilation, [...findSource('app.tsx'), ...shares], options)
  return { base, shell }
}

/**
 * Each of these folders becomes one file, because the page lists every file with its hash at sign-in, and a floor plan
 * needs most of them. `plan/many` is excluded, since few floors have that many lamps, and so is the look of types, since
 * lists without a floor plan show it too.
 */
const planGroups = Object.fromEntries(
  ['plan', 'control'].map((part) => [
    part,
    {
      test: (module: Module) =>
        new RegExp(`[\\\\/]shared[\\\\/]src[\\\\/]${part}[\\\\/](?!type)[^\\\\/]+$`).test(
          module.nameForCondition() ?? '',
        ),
      name: part,
      priority: 10,
      enforce: true,
    },
  ]),
)

/** The host learns its remotes at run time, so the plugin gets none. */
export function host(target: Target): Configuration {
  const base = common(target)
  const sets = new ModuleSets(collectInitialModules)
  return {
    ...base,
    entry: { main: './src/index.ts' },
    output: {
      ...base.output,
      uniqueName: `host_${target.build.replace(/\W/g, '_')}`,
      publicPath: 'auto',
    },
    optimization: {
      ...base.optimization,
      splitChunks: {
        ...base.optimization!.splitChunks,
        cacheGroups: {
          base: sets.createCacheGroup('base', 30),
          shell: sets.createCacheGroup('shell', 20),
          ...planGroups,
          // The hooks are small and load together.
          hooks: {
            test: /[\\/]ahooks[\\/]es[\\/]/,
            name: 'hooks',
            priority: 10,
            enforce: true,
          },
        },
      },
    },
    module: {
      rules: [
        ...base.module!.rules!,
        {
          test: join(root, 'host/src/federation/offeredModules.ts'),
          loader: join(root, 'scripts/webpack/offeredModules.cjs'),
        },
      ],
    },
    plugins: [
      ...base.plugins!,
      sets,
      new ModuleFederationPlugin({
        name: 'host',
        shared: createShared(target.folder),
        shareStrategy: 'loaded-first',
        runtimePlugins: [join(root, 'host/src/federation/sharePlugin.ts')],
        experiments: { optimization: { target: 'web' } },
        manifest: false,
        dts: false,
        dev: false,
      }),
      new webpack.DefinePlugin({
        HOST_BUILD: JSON.stringify(target.build),
      }),
    ],
  }
}
