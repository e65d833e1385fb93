import { createRequire } from 'node:module'
import { join } from 'node:path'
import TerserPlugin from 'terser-webpack-plugin'
import webpack, { type Configuration } from 'webpack'
import { root } from '../../root.ts'

const require = createRequire(import.meta.url)

/**
 * Bundles a few files into one minified script like those of the console, as a baseline for comparison or to be
 * measured alone.
 */
export async function bundle(
  bundleOptions: Required<Pick<Configuration, 'context' | 'entry' | 'output'>>,
): Promise<void> {
  const compiler = webpack({
    ...bundleOptions,
    mode: 'production',
    target: ['web', 'es2022'],
    resolve: { extensions: ['.tsx', '.ts', '.mjs', '.js'] },
    resolveLoader: { modules: [join(root, 'scripts/node_modules')] },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          loader: require.resolve('ts-loader'),
          options: {
            transpileOnly: true,
            configFile: join(root, 'tsconfig.base.json'),
            compilerOptions: { noEmit: false, allowImportingTsExtensions: false },
          },
        },
      ],
    },
    optimization: {
      minimizer: [new TerserPlugin({ minify: TerserPlugin.swcMinify, extractComments: false })],
    },
    performance: false,
  })!
  await new Promise<void>((resolve, reject) =>
    compiler.run((error, stats) =>
      error || stats!.hasErrors()
        ? reject(error ?? new Error(stats!.toString('errors-only')))
        : compiler.close(() => resolve()),
    ),
  )
}
