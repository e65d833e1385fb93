import { join } from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack'
import webpack, { type Compilation, type Configuration } from 'webpack'
import { root } from '../root.ts'
import { common, type BuildTarget } from './common.ts'
import { ModuleSets, collectModules, getProvidedKey } from './moduleSets.ts'
import { createShared } from './shared.ts'

/** Shared modules that nearly every list uses come with the shell; the rest of antd and ahooks loads on demand. */
const shellShares = [
  ...['button', 'flex', 'input', 'select', 'space', 'table', 'tag', 'tooltip'].map(
    (name) => `antd/es/${name}`,
  ),
  'ahooks/es/useRequest',
  ...[
    ...['areaFilter', 'batch', 'card', 'choiceStrip', 'confirmRemove', 'elsewhere'],
    ...['feedback', 'field', 'filters', 'importExport', 'laterIcon', 'lazyPart', 'listTable'],
    ...['listTabs', 'onDemand', 'panel', 'recordList', 'right', 'status', 'toolbar', 'useColumns'],
    ...['useDraft', 'useMyTasks', 'useOpenIncidents', 'usePage', 'usePolling', 'useServerTime'],
    ...['voice', 'waitingLines'],
  ].map((name) => `@iot/shared/ui/${name}`),
  // Browsers load six files at a time over HTTP/1.1. With these small ones apart, trees and 设备管理 would wait for a third
  // round before their first row.
  '@iot/shared/ui/rowTree',
  ...['lights', 'typeIcon', 'typeLooks'].map((name) => `@iot/shared/plan/${name}`),
  '@iot/shared/control/useManualOverrides',
]
/**
 * Shared modules outside the shell with which some lists begin. The page names their files, so that these lists need not
 * read `files.json` before their first row; it weighs more than most of these modules.
 */
export const listShares = [
  ...['badge', 'descriptions', 'skeleton', 'typography'].map((name) => `antd/es/${name}`),
  ...['describeChanges', 'menuIcon'].map((name) => `@iot/shared/ui/${name}`),
]
/** Parts of `shared` that every screen may use. */
const shellSharePattern =
  /^(react|react-dom|react-router|react-router-dom|jotai|jotai\/utils|dayjs|@ant-design\/icons\/.*|@iot\/shared\/(session|client)\/.*)$/

/**
 * `plan/many` is excluded, since few floors have that many lamps, and so are parts that lists without a floor plan show
 * too: the look of types, states and overrides.
 */
const planShares = '(plan|control)/(?!type|lights|useManualOverrides)'
const planSharePattern = new RegExp(`^@iot/shared/${planShares}[^/]+$`)
const planSourcePattern = new RegExp(`/(host/src|shared/src/${planShares})`)

/**
 * Computes which modules come with the login page, with the shell and with the first floor plan, because each is one
 * file: browsers load six files at a time over HTTP/1.1.
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
  const plans = modules.filter((module) => planSharePattern.test(getProvidedKey(module)))
  const home = collectModules(
    compilation,
    [...findSource('pages/home/HomePage.tsx'), ...plans],
    options,
  )
  // All else that home needs stays apart, because lists without a floor plan use some of it too.
  const plan = new Set(
    [...home].filter((module) =>
      planSourcePattern.test(module.nameForCondition()?.replaceAll('\\', '/') ?? ''),
    ),
  )
  return { base, shell, plan }
}

/**
 * The host imports the router itself, so that only the used half of it is built, and offers these files under its names.
 */
const offeredRouters = {
  'react-router-dom': './src/federation/offeredRouter.ts',
  'react-router': './src/federation/offeredRouterCore.ts',
}
const isRouter = (key: string) => /^react-router/.test(key)

function createHostShared(folder: string) {
  const shared = createShared(folder)
  return Object.fromEntries([
    ...Object.entries(shared).filter(([key]) => !isRouter(key)),
    ...Object.entries(offeredRouters).map(([shareKey, file]) => [
      file,
      { ...shared[shareKey], shareKey },
    ]),
  ])
}

/** The host learns its remotes at run time, so the plugin gets none. */
export function host(target: BuildTarget): Configuration {
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
          plan: sets.createCacheGroup('plan', 10),
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
        shared: createHostShared(target.folder),
        shareStrategy: 'loaded-first',
        runtimePlugins: [join(root, 'host/src/federation/sharePlugin.ts')],
        // The host loads entries of remotes, never manifests, which the snapshots of the runtime are for.
        experiments: { optimization: { target: 'web', disableSnapshot: true } },
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
