import { join } from 'node:path'
import webpack, { type Configuration } from 'webpack'
import { root } from '../root.ts'
import { buildPackage } from './make.ts'
import { findPackage } from './packages.ts'

const [packageArg = '', build = ''] = process.argv.slice(2)
const pkg = findPackage(packageArg)
if (!pkg) throw new Error(`unknown package: ${packageArg}`)

const { default: configure } = (await import(join(root, pkg.folder, 'webpack.config.ts'))) as {
  default: (build: string) => Configuration
}
const config = configure(build)
config.plugins!.push(
  new webpack.ProgressPlugin((part) => console.log(`progress ${Math.round(part * 100)}`)),
)
await buildPackage(pkg, build, config).catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
