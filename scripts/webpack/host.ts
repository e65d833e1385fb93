import webpack, { type Configuration, type ResolveData } from 'webpack'
import { join } from 'node:path'
import { root } from '../root.ts'
import { common, type Target } from './common.ts'
import { Replacement } from './replacement.ts'

const within =
  (request: string, folder: RegExp): ((asked: ResolveData) => boolean) =>
  (asked) =>
    asked.request === request && folder.test(asked.context)

const later: Record<string, (asked: ResolveData) => boolean> = {
  'Menu.tsx': within('../menu', /[\\/]antd[\\/]es[\\/]dropdown$/),
  'Radio.tsx': within('../../radio', /[\\/]antd[\\/]es[\\/]table[\\/]hooks$/),
  'OTP.tsx': within('./OTP', /[\\/]antd[\\/]es[\\/]input$/),
  'VirtualTable.tsx': within('./RcTable/VirtualTable', /[\\/]antd[\\/]es[\\/]table$/),
}

const inChinese = (found: { request: string }) => {
  found.request = found.request.replace('en_US', 'zh_CN')
}

/** The host is an ordinary build: it learns its remotes at run time. */
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
        // One file each: the page at login names every file with its hash, and a plan is drawn with most of them, but
        // few have lamps enough for `plan/many`. How a type looks stands in lists, too, which draw no plan.
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
      // antd's own App comes with dialogs and notices, which no list begins with.
      new Replacement(
        join(root, 'host/src/antdApp/App.tsx'),
        ({ request, context }) =>
          request === 'antd/es/app' ||
          (request === './app/index.js' && /[\\/]antd[\\/]es$/.test(context)),
      ),
      // A table's own column filters bring tree, radio and menu with every list; ours filter in the address above it.
      new Replacement(
        join(root, 'scripts/webpack/noColumnFilters.js'),
        ({ request, context }) =>
          request === './FilterDropdown' && /table[\\/]hooks[\\/]useFilter$/.test(context),
      ),
      // Buttons, tags and tooltips ask the colour picker how bright a colour is, and with it comes a collapse.
      new Replacement(
        join(root, 'scripts/webpack/plainColors.js'),
        ({ request, context }) =>
          /[\\/]color-picker[\\/](color|util|components[\\/]ColorPresets)$/.test(request) &&
          /antd[\\/]es[\\/](button[\\/]style|tag[\\/]style|tooltip)$/.test(context),
      ),
      // Rows are chosen one by one: what ticks the rows above and below with them is a tree's.
      new Replacement(
        join(root, 'scripts/webpack/noTreeOfRows.js'),
        ({ request, context }) =>
          request === '@rc-component/tree' && /[\\/]antd[\\/]es[\\/]table[\\/]hooks$/.test(context),
      ),
      // Styles are written for the browsers the console is for, which need no prefixes.
      new Replacement(
        join(root, 'scripts/webpack/noPrefixes.js'),
        ({ request, context }) =>
          /[\\/]Prefixer\.js$/.test(request) && /[\\/]stylis([\\/]src)?$/.test(context),
      ),
      // Manifests and preloading of other builders: a remote's record says what it needs.
      new Replacement(
        join(root, 'scripts/webpack/noSnapshots.js'),
        ({ request, context }) =>
          /\/(snapshot\/SnapshotHandler|utils\/preload)\.js$/.test(request) &&
          /[\\/]runtime-core[\\/]dist([\\/]remote)?$/.test(context),
      ),
      // The language antd falls back to is the one it is given.
      new webpack.NormalModuleReplacementPlugin(/locale\/en_US$/, inChinese),
      new webpack.NormalModuleReplacementPlugin(/^\.\/en_US$/, (found) => {
        if (/[\\/]antd[\\/]es[\\/]locale$/.test(found.context)) inChinese(found)
      }),
      // What of antd's pieces no screen begins with comes when it is first shown.
      ...Object.entries(later).map(
        ([file, isMeant]) => new Replacement(join(root, 'host/src/antdLater', file), isMeant),
      ),
      new webpack.DefinePlugin({
        HOST_BUILD: JSON.stringify(target.build),
        FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: true,
        ENV_TARGET: JSON.stringify('web'),
      }),
    ],
  }
}
