import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import TerserPlugin from 'terser-webpack-plugin'
import webpack from 'webpack'
import { root } from '../../root.ts'

const require = createRequire(import.meta.url)

/** The page everything is compared with: login form and two tables in one bundle, no router, no federation, no rights. */
export async function buildFloor(folder: string) {
  const compiler = webpack({
    mode: 'production',
    context: import.meta.dirname,
    entry: './page.tsx',
    target: ['web', 'es2022'],
    output: { path: folder, filename: 'page.js' },
    resolve: { extensions: ['.tsx', '.ts', '.mjs', '.js'] },
    resolveLoader: { modules: [join(root, 'scripts/node_modules')] },
    module: {
      rules: [
        {
          test: /\.tsx$/,
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
  await new Promise<void>((done, failed) =>
    compiler.run((error, stats) =>
      error || stats!.hasErrors()
        ? failed(error ?? new Error(stats!.toString('errors-only')))
        : compiler.close(() => done()),
    ),
  )
  await mkdir(folder, { recursive: true })
  const page =
    '<!doctype html><meta charset="utf-8"><div id="root"></div><script src="page.js"></script>'
  await writeFile(join(folder, 'index.html'), page)
  const script = await readFile(join(folder, 'page.js'))
  await writeFile(join(folder, 'page.js.br'), brotliCompressSync(script))
}
