import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import MiniCssExtractPlugin from 'mini-css-extract-plugin'
import TerserPlugin from 'terser-webpack-plugin'
import type { CustomTransformerFactory, SourceFile, TransformerFactory } from 'typescript'
import webpack, { type Configuration } from 'webpack'
import { contractOnDemand, contractApart } from './contractOnDemand.ts'
import { namedImports } from './namedImports.ts'
import { mapsFolder } from '../../shared/src/contract/release.ts'
import { root } from '../root.ts'

const require = createRequire(import.meta.url)

/** Where screens are declared: of the console in shared, of a remote of its own repository in `src/area.ts`. */
const screens =
  /[\\/](shared[\\/]src[\\/]screens[\\/](?!(area|paths|route)\.ts)\w+|src[\\/]area)\.ts$/

/** `remote-system/src/pages/log/ErrorLogPage.tsx`, `antd/es/table/Table.js`: the same on any machine. */
const sourceName =
  (context: string) =>
  ({ absoluteResourcePath: path }: { absoluteResourcePath: string }) => {
    const base = [root, dirname(context)].find((folder) => path.startsWith(folder + sep))
    return base
      ? path.slice(base.length + 1).replace(/^.*node_modules\//, '')
      : path.slice(path.lastIndexOf('/') + 1)
  }

/** `folder` is below the workspace, or anywhere for a remote of its own repository. */
export type Target = {
  folder: string
  build: string
  dev?: boolean
  /** What is done to each source besides. */
  transformer?: TransformerFactory<SourceFile> | CustomTransformerFactory
}

/**
 * What the cache holds was made with. Named as a folder to webpack it brings all that `scripts` depends on, in which links
 * that lead nowhere keep anything from being cached.
 */
function configured() {
  const hash = createHash('sha256')
  for (const file of readdirSync(import.meta.dirname).sort())
    hash.update(file).update(readFileSync(join(import.meta.dirname, file)))
  return hash.digest('hex')
}

/** What host and remotes have in common. */
export function common({ folder, build, dev = false, transformer }: Target): Configuration {
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
      chunkFilename: '[contenthash:10].js',
      cssFilename: '[contenthash:10].css',
      assetModuleFilename: '[contenthash:10][ext]',
      crossOriginLoading: 'anonymous',
      // A module that threw once is evaluated again when it is asked for again.
      strictModuleErrorHandling: true,
      clean: true,
    },
    resolve: {
      extensions: ['.tsx', '.ts', '.mjs', '.js'],
      alias: {
        // What is compiled into a remote; the rest of shared comes from the host.
        '@iot/shared/contract': join(root, 'shared/src/contract'),
        '@iot/shared/screens': join(root, 'shared/src/screens'),
        // The package's main file is its development build.
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
      rules: [
        { resourceQuery: /^\?titles$/, loader: join(root, 'scripts/webpack/titles.cjs') },
        { test: screens, loader: join(root, 'scripts/webpack/screens.cjs') },
        {
          test: /\.tsx?$/,
          exclude: screens,
          resourceQuery: { not: [/^\?titles$/] },
          // A class a style sheet does not have, named through `styles`, stops the build.
          parser: { exportsPresence: 'error' },
          loader: require.resolve('ts-loader'),
          options: {
            transpileOnly: true,
            allowTsInNodeModules: true,
            configFile: join(root, 'tsconfig.base.json'),
            compilerOptions: { noEmit: false, allowImportingTsExtensions: false, sourceMap: true },
            getCustomTransformers: () => ({
              before: [
                namedImports(fromPackage),
                contractApart,
                contractOnDemand,
                ...(transformer ? [transformer] : []),
              ],
            }),
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
                  localIdentName: dev ? '[name]__[local]' : '[hash:base64:8]',
                  // Two builds of a remote may be on a page at once, and their style sheets with them.
                  localIdentHashSalt: build,
                },
              },
            },
          ],
        },
        // They say nothing of side effects and have none: a table takes three functions of the tree, not the tree.
        { test: /[\\/]@rc-component[\\/][^\\/]+[\\/]es[\\/].+\.js$/, sideEffects: false },
        { test: /\.(svg|png|jpe?g|webp|woff2)$/, type: 'asset' },
      ],
    },
    plugins: [
      // Positions and names only, for the error log: what was written stays with who wrote it.
      ...(dev
        ? []
        : [
            new webpack.SourceMapDevToolPlugin({
              test: /\.js$/,
              filename: `${mapsFolder}/[file].map`,
              append: false,
              noSources: true,
              moduleFilenameTemplate: sourceName(context),
            }),
          ]),
      new webpack.NormalModuleReplacementPlugin(
        /\/core\/(json-schema-processors|to-json-schema)\.js$/,
        (found) => {
          if (/zod[\\/]v4[\\/]classic[\\/]schemas\.js$/.test(found.contextInfo.issuer))
            found.request = join(root, 'scripts/webpack/noJsonSchema.cjs')
        },
      ),
      new webpack.NormalModuleReplacementPlugin(/^\.\/fetch\.js$/, (found) => {
        if (/axios[\\/]lib[\\/]adapters$/.test(found.context))
          found.request = join(root, 'scripts/webpack/noFetch.mjs')
      }),
      // What the contract gives no sentence for is said in Chinese too.
      new webpack.NormalModuleReplacementPlugin(/^\.\.\/locales\/en\.js$/, (found) => {
        found.request = found.request.replace('en.js', 'zh-CN.js')
      }),
      new MiniCssExtractPlugin({
        filename: '[contenthash:10].css',
        chunkFilename: '[contenthash:10].css',
        // The host loads style sheets as it loads scripts: with a deadline, retries and the hash of the record.
        insert: (link) =>
          (
            globalThis as unknown as { iotInsertStyle: (link: HTMLLinkElement) => void }
          ).iotInsertStyle(link),
      }),
    ],
    optimization: {
      minimizer: [
        new TerserPlugin({
          minify: TerserPlugin.swcMinify,
          extractComments: false,
          terserOptions: {
            compress: { passes: 3, pure_getters: true },
            format: { comments: false },
          },
        } as never),
      ],
      // A browser asks for six files at a time over HTTP/1.1, so entry and shell are one file each.
      splitChunks: { chunks: ({ name }) => name !== 'main' && name !== 'app', minSize: 30_000 },
    },
    cache: {
      type: 'filesystem',
      cacheDirectory: join(isAbsolute(folder) ? folder : root, '.cache/webpack'),
      name: `${basename(folder)}${dev ? '-dev' : ''}`,
      version: configured(),
    },
    performance: false,
    stats: 'errors-warnings',
    infrastructureLogging: { level: 'error' },
  }
}
