import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import MiniCssExtractPlugin from 'mini-css-extract-plugin'
import TerserPlugin from 'terser-webpack-plugin'
import type { CustomTransformerFactory, SourceFile, TransformerFactory } from 'typescript'
import webpack, {
  type Compiler,
  type Configuration,
  type RuleSetRule,
  type WebpackPluginInstance,
} from 'webpack'
import { sourceMapsFolder } from '../../shared/src/contract/release/release.ts'
import { root } from '../root.ts'

const require = createRequire(import.meta.url)

/** Screens are declared in shared for the console, and in `src/area.ts` for a remote in its own repository. */
const screenFilePattern =
  /[\\/](shared[\\/]src[\\/]screens[\\/](?!(area|paths|route)\.ts)\w+|src[\\/]area)\.ts$/

/**
 * Source names such as `remote-system/src/pages/log/ErrorLogPage.tsx` or `antd/es/table/Table.js` are the same on
 * every machine.
 */
const createSourceNamer =
  (context: string) =>
  ({ absoluteResourcePath: path }: { absoluteResourcePath: string }) => {
    const base = [root, dirname(context)].find((folder) => path.startsWith(folder + sep))
    return base
      ? path.slice(base.length + 1).replace(/^.*node_modules\//, '')
      : path.slice(path.lastIndexOf('/') + 1)
  }

/** `folder` lies in the workspace, or anywhere for a remote in its own repository. */
export type BuildTarget = {
  folder: string
  build: string
  dev?: boolean
  /** The transformer is applied to each source file. */
  transformer?: TransformerFactory<SourceFile> | CustomTransformerFactory
}

/**
 * Hashes the build configuration for the cache key. Naming the folder as a webpack build dependency would include all
 * dependencies of `scripts`, and their broken links would disable the cache.
 */
function hashConfiguration() {
  const hash = createHash('sha256')
  for (const file of readdirSync(import.meta.dirname).sort())
    hash.update(file).update(readFileSync(join(import.meta.dirname, file)))
  return hash.digest('hex')
}

/** Returns the configuration that host and remotes share. */
export function common({ folder, build, dev = false, transformer }: BuildTarget): Configuration {
  const context = resolve(root, folder)
  const fromPackage = createRequire(join(context, 'package.json'))
  const router = dirname(
    createRequire(fromPackage.resolve('react-router-dom/package.json')).resolve(
      'react-router/package.json',
    ),
  )
  return {
    name: basename(folder),
    context,
    mode: dev ? 'development' : 'production',
    devtool: dev ? 'cheap-module-source-map' : false,
    target: ['web', 'es2022'],
    output: {
      path: join(context, 'dist', build),
      filename: '[name].[contenthash:10].js',
      chunkFilename: ({ chunk }) =>
        chunk?.name === fallbackName
          ? `${fallbackName}.[contenthash:10].js`
          : '[contenthash:10].js',
      cssFilename: '[contenthash:10].css',
      assetModuleFilename: '[contenthash:10][ext]',
      crossOriginLoading: 'anonymous',
      // A module that threw is evaluated again at the next import.
      strictModuleExceptionHandling: true,
      clean: true,
    },
    resolve: {
      extensions: ['.tsx', '.ts', '.mjs', '.js'],
      alias: {
        // These parts of shared are compiled into a remote; the others come from the host.
        '@iot/shared/contract': join(root, 'shared/src/contract'),
        '@iot/shared/screens': join(root, 'shared/src/screens'),
        // The main file of the package is its development build.
        'react-router$': join(
          router,
          dev ? 'dist/development/index.mjs' : 'dist/production/index.mjs',
        ),
        'react-router/dom$': join(
          router,
          dev ? 'dist/development/dom-export.mjs' : 'dist/production/dom-export.mjs',
        ),
      },
    },
    resolveLoader: { modules: [join(root, 'scripts/node_modules')] },
    module: {
      rules: createRules({ dev, transformer }),
    },
    plugins: createPlugins(context, dev),
    optimization: {
      ...(!dev && { moduleIds: false }),
      minimizer: [
        createMinimizer({
          exclude: fallbackFilePattern,
          compress: { passes: 3, pure_getters: true },
        }),
        createMinimizer({ include: fallbackFilePattern, compress: false }),
      ],
      splitChunks: { chunks: ({ name }) => name !== 'main', minSize: 30_000 },
    },
    // Writing the cache takes a third of the first build, which delays the first start; later builds gain a third by it.
    cache: (dev || existsSync(join(context, 'dist'))) && {
      type: 'filesystem',
      cacheDirectory: join(isAbsolute(folder) ? folder : root, '.cache/webpack'),
      name: `${basename(folder)}${dev ? '-dev' : ''}`,
      version: hashConfiguration(),
    },
    performance: false,
    stats: 'errors-warnings',
    infrastructureLogging: { level: 'error' },
  }
}

/** The copies of shared modules that a remote carries for other hosts: they are built fast rather than small. */
export const fallbackName = 'fallback'
export const fallbackFilePattern = /^fallback\./

const createMinimizer = ({
  compress,
  ...files
}: {
  include?: RegExp
  exclude?: RegExp
  compress: object | false
}) =>
  new TerserPlugin({
    ...files,
    minify: TerserPlugin.swcMinify,
    extractComments: false,
    // The minifier itself runs beside the main thread; worker processes would only copy the sources.
    parallel: false,
    terserOptions: { compress, format: { comments: false } },
  } as never)

/**
 * Names a class after the content of its style sheet: two builds of a remote, which may be on a page at once, share names
 * of equal sheets only, and a sheet from webpack's cache has the names that it would get now.
 */
export const nameClass = (
  { resourcePath }: { resourcePath: string },
  _: string,
  className: string,
) => {
  const hash = createHash('sha256').update(`${className} `).update(readFileSync(resourcePath))
  return `c${hash.digest('base64url').slice(0, 7)}`
}

const createRules = ({
  dev,
  transformer,
}: Pick<BuildTarget, 'dev' | 'transformer'>): RuleSetRule[] => [
  { test: screenFilePattern, loader: join(root, 'scripts/webpack/screens.cjs') },
  {
    test: /[\\/]node_modules[\\/](antd|ahooks|@ant-design[\\/]icons)[\\/]es[\\/]index\.js$/,
    loader: join(root, 'scripts/webpack/refuseIndex.cjs'),
  },
  {
    test: /\.tsx?$/,
    exclude: screenFilePattern,
    // A class name that a style sheet lacks stops the build if it is used through `styles`.
    parser: { exportsPresence: 'error' },
    loader: require.resolve('ts-loader'),
    options: {
      transpileOnly: true,
      allowTsInNodeModules: true,
      configFile: join(root, 'tsconfig.base.json'),
      compilerOptions: { noEmit: false, allowImportingTsExtensions: false, sourceMap: true },
      getCustomTransformers: () => ({ before: transformer ? [transformer] : [] }),
    },
  },
  {
    test: /\.css$/,
    use: [
      { loader: MiniCssExtractPlugin.loader },
      {
        loader: require.resolve('css-loader'),
        options: {
          modules: {
            auto: true,
            ...(dev ? { localIdentName: '[name]__[local]' } : { getLocalIdent: nameClass }),
          },
        },
      },
    ],
  },
  { test: /\.(svg|png|jpe?g|webp|woff2)$/, type: 'asset' },
]

/**
 * Two modules whose short ids collide get them in the order in which the federation plugin resolved its shared modules,
 * which depends on timing. Nine digits keep the same sources from giving different bytes.
 */
const moduleIdLength = 9

const createPlugins = (context: string, dev: boolean): WebpackPluginInstance[] => [
  // The source maps hold positions and names only, for the error log; they do not reveal source code.
  ...(dev
    ? []
    : [
        new webpack.SourceMapDevToolPlugin({
          test: /\.js$/,
          exclude: fallbackFilePattern,
          filename: `${sourceMapsFolder}/[file].map`,
          append: false,
          noSources: true,
          moduleFilenameTemplate: createSourceNamer(context),
        }),
        new webpack.ids.DeterministicModuleIdsPlugin({ maxLength: moduleIdLength }),
      ]),
  new MiniCssExtractPlugin({
    // Class names are local to their module, so the order of style sheets has no effect.
    ignoreOrder: true,
    filename: '[contenthash:10].css',
    chunkFilename: '[contenthash:10].css',
    // The host loads style sheets like scripts: with a deadline, retries and the hash of the release record. Another
    // host simply adds them.
    insert: (link) => {
      const { iotInsertStyle } = globalThis as { iotInsertStyle?: (link: HTMLLinkElement) => void }
      if (iotInsertStyle) iotInsertStyle(link)
      else document.head.append(link)
    },
  }),
  loadChunksByHost,
  omitSecondShareList,
]

/**
 * Lets the host fetch the chunks of every build with a deadline, retries and the hashes of its release record. Another
 * host loads them as webpack does.
 */
const loadChunksByHost: WebpackPluginInstance = {
  apply(compiler: Compiler) {
    compiler.hooks.compilation.tap('loadChunksByHost', (compilation) =>
      webpack.runtime.LoadScriptRuntimeModule.getCompilationHooks(compilation).createScript.tap(
        'loadChunksByHost',
        (source) =>
          `if (globalThis.iotLoadChunk) { script = document.createElement("script"); globalThis.iotLoadChunk(script, url); } else { ${source} }`,
      ),
    )
  },
}

/**
 * Keeps webpack from writing its own list of shared modules into each entry, because the federation plugin replaces it by
 * a list in its own form. A tap that returns `true` before webpack's ends the hook.
 */
const omitSecondShareList: WebpackPluginInstance = {
  apply(compiler: Compiler) {
    compiler.hooks.compilation.tap('omitSecondShareList', (compilation) =>
      compilation.hooks.runtimeRequirementInTree
        .for(webpack.RuntimeGlobals.shareScopeMap)
        .tap({ name: 'omitSecondShareList', stage: -1 }, () => true),
    )
  },
}
