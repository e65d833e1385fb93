import { createReadStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import webpack, { type Configuration } from 'webpack'
import { packageNamed, packages } from './build/packages.ts'
import { root } from './root.ts'

const ports: Record<string, number> = { deviceAccess: 3101, system: 3102, enterprise: 3103 }

/**
 * `pnpm dev system` builds one remote as it is edited and serves it to a console that runs elsewhere; each build is
 * exchanged in the open page. `--console` is that console's address.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    console: { type: 'string', default: 'http://localhost:8080' },
    port: { type: 'string' },
  },
})
const one = packageNamed(positionals[0] ?? '')
if (!one || one.name === 'host') {
  console.error(
    `pnpm dev <remote>；可用：${packages
      .filter(({ name }) => name !== 'host')
      .map(({ name }) => name)
      .join('、')}`,
  )
  process.exit(1)
}

const folder = join(root, one.folder, 'dist/dev')
const port = Number(values.port ?? ports[one.name])
const pages = new Set<ServerResponse>()

const { default: configure } = (await import(join(root, one.folder, 'webpack.config.ts'))) as {
  default: (build: string, dev: boolean) => Configuration
}
const config = configure('dev', true)
config.output = {
  ...config.output,
  path: folder,
  filename: '[name].js',
  chunkFilename: '[id].[contenthash:10].js',
  clean: false,
}

webpack(config)!.watch({}, (error, stats) => {
  if (error) throw error
  console.log(
    stats!.toString({ preset: 'errors-warnings', colors: true }) || `${one.folder}：已构建`,
  )
  if (stats!.hasErrors()) return
  const entry = [...stats!.compilation.entrypoints.values()]
    .at(-1)!
    .getEntrypointChunk()
    .files.values()
    .next().value
  void writeFile(
    join(folder, 'release.json'),
    JSON.stringify({ name: one.name, build: 'dev', entry }),
  ).then(() => {
    for (const page of pages) page.write('data: built\n\n')
  })
})

createServer(async (request, answer) => {
  const path = request.url!.split('?')[0]!
  answer.setHeader('access-control-allow-origin', '*')
  if (path === '/events') {
    answer.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    pages.add(answer)
    return void request.on('close', () => pages.delete(answer))
  }
  const file = join(folder, path)
  if (
    !file.startsWith(folder) ||
    !(await stat(file).then(
      (found) => found.isFile(),
      () => false,
    ))
  )
    return void answer.writeHead(404).end()
  const type =
    { js: 'text/javascript', css: 'text/css', json: 'application/json' }[path.split('.').at(-1)!] ??
    'application/octet-stream'
  answer.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' })
  createReadStream(file).pipe(answer)
}).listen(port, '127.0.0.1', () => {
  console.log(`${one.folder}：http://localhost:${port}`)
  console.log(
    `在浏览器打开：${values.console}/${one.name}?dev=${one.name}@http://localhost:${port}`,
  )
})
