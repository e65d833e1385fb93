import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import Fastify from 'fastify'
import { decodeStack } from '../../server/src/modules/errorLog/decodeStack'
import { registerSite as serveSite } from '../../server/src/site/site'

const build = 'aaaaaaaa0001'
const address = 'https://console.example'
let folder: string
let stack: string

const source = `export function dim(lamp: { level: number } | null) {
  const doubled = 2
  return lamp!.level * doubled
}
dim(null)
`

/** Builds one file with the same configuration as the host and the remotes. */
const createBuildScript = (from: string, to: string) => `
  const { default: webpack } = await import('webpack')
  const { common } = await import(${JSON.stringify(join(__dirname, '../webpack/common.ts'))})
  const { compressFiles } = await import(${JSON.stringify(join(__dirname, 'compress.ts'))})
  const config = common({ folder: 'remote-system', build: '${build}' })
  config.entry = { main: ${JSON.stringify(from)} }
  config.output.path = ${JSON.stringify(to)}
  config.cache = false
  // A worker would run this text too.
  config.optimization.minimizer[0].options.parallel = false
  const compiler = webpack(config)
  const stats = await new Promise((resolve, reject) =>
    compiler.run((error, result) => compiler.close(() => (error ? reject(error) : resolve(result)))),
  )
  if (stats.hasErrors()) throw new Error(stats.toString('errors-only'))
  await compressFiles(config.output.path)`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maps-'))
  const buildFolder = join(folder, 'site/remotes/system', build)
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'src/dim.ts'), source)
  const nodeArgs = ['--import', 'tsx', '--input-type=module', '-e']
  await promisify(execFile)(
    process.execPath,
    [...nodeArgs, createBuildScript(join(folder, 'src/dim.ts'), buildFolder)],
    { cwd: __dirname, env: { ...process.env, NODE_ENV: 'production' } },
  )
  const [file] = (await readdir(buildFolder)).filter((name) => name.endsWith('.js'))
  const code = await readFile(join(buildFolder, file!), 'utf8')
  expect(code).not.toContain('sourceMappingURL')
  try {
    runInNewContext(
      code,
      {},
      {
        filename: `${address}/remotes/system/${build}/${file}`,
        displayErrors: false,
      },
    )
  } catch (error) {
    stack = (error as Error).stack!
  }
})
afterAll(() => rm(folder, { recursive: true }))

const getSiteFolder = () => join(folder, 'site')

it('finds the source line and stores nothing else of the source', async () => {
  expect(stack).toContain(`${address}/remotes/system/${build}/`)
  const { decoded, undecoded } = await decodeStack(stack, getSiteFolder())
  expect(decoded).toMatch(/^TypeError: .*\n +at .*src\/dim\.ts:3:16/)
  expect(decoded).not.toContain(address)
  expect(undecoded).toBe('')
  const maps = join(getSiteFolder(), 'remotes/system', build, 'maps')
  expect((await readdir(maps)).every((name) => name.endsWith('.map.gz'))).toBe(true)
})

it('parses the stack format of other browsers', async () => {
  const [reportedPosition] = /https:\S+\.js:\d+:\d+/.exec(stack)!
  const { decoded } = await decodeStack(
    `dim@${reportedPosition}\n@${address}/other.js:1:2`,
    getSiteFolder(),
  )
  expect(decoded).toMatch(/^dim@.*src\/dim\.ts:3:16\n@https.*other\.js:1:2$/)
})

it('reports why a position could not be decoded', async () => {
  const missingBuildStack = stack.replaceAll(build, 'bbbbbbbb0002')
  expect(await decodeStack(missingBuildStack, getSiteFolder())).toMatchObject({
    decoded: '',
    undecoded: expect.stringContaining('remotes/system/bbbbbbbb0002'),
  })
  const combined = await decodeStack(`${stack}\n${missingBuildStack}`, getSiteFolder())
  expect(combined.decoded).toContain('dim.ts:3:16')
  expect(combined.undecoded).toContain('bbbbbbbb0002')
  expect((await decodeStack('at main.js:1:2', getSiteFolder())).undecoded).toContain(
    '没有指向任何构建',
  )
  expect((await decodeStack(stack, undefined)).undecoded).toContain('不在这台服务器上')
  expect(await decodeStack('', getSiteFolder())).toEqual({ decoded: '', undecoded: '' })
})

it('does not leave the folder for a made-up path', async () => {
  await writeFile(join(folder, 'secret.js.map.gz'), 'x')
  for (const inventedPath of [
    'host/../../x.js:1:1',
    'host/aaaa/..%2fsecret.js:1:1',
    'host/....../x.js:1:1',
  ])
    expect((await decodeStack(`at ${address}/${inventedPath}`, getSiteFolder())).decoded).toBe('')
})

it('serves the file and not its source map', async () => {
  const app = Fastify()
  await serveSite(app, { folder: getSiteFolder() })
  const buildPath = `/remotes/system/${build}`
  const [file] = (await readdir(join(getSiteFolder(), buildPath))).filter((name) =>
    name.endsWith('.js'),
  )
  expect((await app.inject(`${buildPath}/${file}`)).statusCode).toBe(200)
  for (const path of [`/maps/${file}.map.gz`, `/maps/${file}.map`, `/x/../maps/${file}.map.gz`])
    expect((await app.inject(buildPath + path)).statusCode).toBe(404)
  expect((await app.inject(`${buildPath}/%6daps/${file}.map.gz`)).statusCode).toBe(404)
  await app.close()
})
