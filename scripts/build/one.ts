import { join } from 'node:path'
import webpack, { type Configuration } from 'webpack'
import { root } from '../root.ts'
import { make } from './make.ts'
import { packageNamed } from './packages.ts'

const [word = '', build = ''] = process.argv.slice(2)
const one = packageNamed(word)
if (!one) throw new Error(`unknown package: ${word}`)

const { default: configure } = (await import(join(root, one.folder, 'webpack.config.ts'))) as {
  default: (build: string) => Configuration
}
const config = configure(build)
config.plugins!.push(
  new webpack.ProgressPlugin((part) => console.log(`progress ${Math.round(part * 100)}`)),
)
await make(one, build, config).catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
