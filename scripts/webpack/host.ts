import webpack, { type Configuration, type ResolveData } from 'webpack'
import { join } from 'node:path'
import { root } from '../root.ts'
import { common, type Target } from './common.ts'
import { Replacement } from './replacement.ts'

const createRequestMatcher =
  (request: string, folder: RegExp): ((resolveData: ResolveData) => boolean) =>
  (resolveData) =>
    resolveData.request === request && folder.test(resolveData.context)

const lazyModules: Record<string, (resolveData: ResolveData) => boolean> = {
  'Menu.tsx': createRequestMatcher('../menu', /[\\/]antd[\\/]es[\\/]dropdown$/),
  'Radio.tsx': createRequestMatcher('../../radio', /[\\/]antd[\\/]es[\\/]table[\\/]hooks$/),
  'OTP.tsx': createRequestMatcher('./OTP', /[\\/]antd[\\/]es[\\/]input$/),
  'VirtualTable.tsx': createRequestMatcher('./RcTable/VirtualTable', /[\\/]antd[\\/]es[\\/]table$/),
}

const setChineseLocale = (resolveData: { request: string }) => {
  resolveData.request = resolveData.request.replace('en_US', 'zh_CN')
}

/** The host is an ordinary build, because it learns its remotes at run time. */
export function host(target: Target): Configuration {
  const base = common(target)
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
        // Each of these folders becomes one file, because the page lists every file with its hash at sign-in, and a
        // floor plan needs most of them. `plan/many` is excluded, since few floors have that many lamps, and so is
        // the look of types, since lists without a floor plan show it too.
        cacheGroups: Object.fromEntries(
          ['plan', 'control'].map((part) => [
            part,
            {
              test: new RegExp(`[\\\\/]shared[\\\\/]src[\\\\/]${part}[\\\\/](?!type)[^\\\\/]+$`),
              name: part,
              enforce: true,
            },
          ]),
        ),
      },
    },
    plugins: [
      ...base.plugins!,
      // The column filters of antd's table add tree, radio and menu to every list; the console filters above the
      // table.
      new Replacement(
        join(root, 'scripts/webpack/noColumnFilters.js'),
        ({ request, context }) =>
          request === './FilterDropdown' && /table[\\/]hooks[\\/]useFilter$/.test(context),
      ),
      // Buttons, tags and tooltips import the colour picker to judge the brightness of a colour, which also adds the
      // collapse component.
      new Replacement(
        join(root, 'scripts/webpack/plainColors.js'),
        ({ request, context }) =>
          /[\\/]color-picker[\\/](color|util|components[\\/]ColorPresets)$/.test(request) &&
          /antd[\\/]es[\\/](button[\\/]style|tag[\\/]style|tooltip)$/.test(context),
      ),
      // Rows are selected one by one; selecting parents and children together would need the tree component.
      new Replacement(
        join(root, 'scripts/webpack/noTreeOfRows.js'),
        ({ request, context }) =>
          request === '@rc-component/tree' && /[\\/]antd[\\/]es[\\/]table[\\/]hooks$/.test(context),
      ),
      // The supported browsers need no vendor prefixes.
      new Replacement(
        join(root, 'scripts/webpack/noPrefixes.js'),
        ({ request, context }) =>
          /[\\/]Prefixer\.js$/.test(request) && /[\\/]stylis([\\/]src)?$/.test(context),
      ),
      // Manifests and preloading serve other build setups; the release record of a remote lists its files instead.
      new Replacement(
        join(root, 'scripts/webpack/noSnapshots.js'),
        ({ request, context }) =>
          /\/(snapshot\/SnapshotHandler|utils\/preload)\.js$/.test(request) &&
          /[\\/]runtime-core[\\/]dist([\\/]remote)?$/.test(context),
      ),
      // antd's fallback locale is replaced by the Chinese one that the console uses.
      new webpack.NormalModuleReplacementPlugin(/locale\/en_US$/, setChineseLocale),
      new webpack.NormalModuleReplacementPlugin(/^\.\/en_US$/, (resolveData) => {
        if (/[\\/]antd[\\/]es[\\/]locale$/.test(resolveData.context)) setChineseLocale(resolveData)
      }),
      // Parts of antd that no screen needs at first are loaded when they are first shown.
      ...Object.entries(lazyModules).map(
        ([file, matches]) => new Replacement(join(root, 'host/src/antdLater', file), matches),
      ),
      new webpack.DefinePlugin({
        HOST_BUILD: JSON.stringify(target.build),
        FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: true,
        ENV_TARGET: JSON.stringify('web'),
      }),
    ],
  }
}
