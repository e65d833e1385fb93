import { createReadStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { basename, extname, join, resolve } from 'node:path'
import webpack, { type Configuration } from 'webpack'
import type { Package } from '../build/packages.ts'
import { root } from '../root.ts'
import { entryFile } from '../webpack/remote.ts'

/** A remote under development always has this build id. */
export const devBuildId = 'devel'

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}
export const getContentType = (file: string) =>
  `${contentTypes[extname(file)] ?? 'application/octet-stream'}; charset=utf-8`

type DevServerOptions = Package & {
  config: Configuration
  port: number
  /** The remote is shown in the console at this address. */
  console: string
}

/**
 * Rebuilds a remote whenever it is edited and serves it to a running console, whose open page swaps to each new
 * build.
 */
export function serveRemote({
  name,
  folder: packageFolder,
  config,
  port,
  console: address,
}: DevServerOptions) {
  const title = basename(packageFolder)
  const folder = join(resolve(root, packageFolder), 'dist', devBuildId)
  const openPages = new Set<ServerResponse>()
  config.output = {
    ...config.output,
    path: folder,
    filename: '[name].js',
    chunkFilename: '[id].[contenthash:10].js',
    clean: false,
  }

  webpack(config)!.watch({}, (error, stats) => {
    if (error) throw error
    if (stats!.hasErrors() || stats!.hasWarnings())
      console.log(stats!.toString({ preset: 'errors-warnings', colors: true }))
    if (stats!.hasErrors()) return
    const record = { name, build: devBuildId, entry: entryFile }
    writeFile(join(folder, 'release.json'), JSON.stringify(record)).then(() => {
      console.log(`${title}：已构建`)
      for (const page of openPages) page.write('data: built\n\n')
    }, console.error)
  })

  async function answerRequest(request: IncomingMessage, answer: ServerResponse) {
    const path = request.url!.split('?')[0]!
    answer.setHeader('access-control-allow-origin', '*')
    if (path === '/events') {
      answer.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      openPages.add(answer)
      return void request.on('close', () => openPages.delete(answer))
    }
    const file = join(folder, path)
    const isFile =
      file.startsWith(folder) && (await stat(file).catch(() => undefined))?.isFile() === true
    if (!isFile) return void answer.writeHead(404).end()
    answer.writeHead(200, { 'content-type': getContentType(file), 'cache-control': 'no-store' })
    createReadStream(file).pipe(answer)
  }
  createServer((request, answer) => {
    answerRequest(request, answer).catch((error: unknown) => {
      console.error(error)
      answer.destroy()
    })
  }).listen(port, '127.0.0.1', () => {
    console.log(`${title}：http://localhost:${port}`)
    console.log(`在浏览器打开：${address}/${name}?dev=${name}@http://localhost:${port}`)
  })
}
