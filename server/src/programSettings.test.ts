import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { productVersion } from './core/version'
import {
  formatChineseSettingsTable,
  formatHelp,
  formatSettingsTable,
  readCommandLine,
} from './programSettings'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const readArguments = (args: string[], environment: NodeJS.ProcessEnv = {}) =>
  readCommandLine('node main.js', args, environment, {
    devices: { help: '不启动模拟设备', default: true },
  })
function writeConfig(text: string) {
  const file = join(folder, 'console.env')
  writeFileSync(file, text)
  return file
}

it('prefers arguments to the environment and the environment to the file', () => {
  const file = writeConfig('PORT=81\nMQTT_PORT=82\nHISTORY_DAYS=83\n# a comment\n')
  const { settings, flags } = readArguments(['--config', file, '--port', '91', '--no-devices'], {
    PORT: '92',
    MQTT_PORT: '93',
    HISTORY_DAYS: '',
  })
  expect(settings).toMatchObject({ port: 91, mqttPort: 93, historyDays: 83 })
  expect(flags).toEqual({ devices: false })
  expect(readArguments([], { CONFIG: file }).settings.port).toBe(81)
})

it('refuses unknown arguments, unknown names in the file and a missing file', () => {
  expect(() => readArguments(['--prot', '80'])).toThrow(/^看不懂参数：--prot 80\n/)
  expect(() => readArguments(['--config', writeConfig('DATABSE_URL=x')])).toThrow(
    /没有这样的设置：DATABSE_URL$/,
  )
  expect(() => readArguments(['--config', join(folder, 'missing')])).toThrow(/^读不到配置文件：/)
})

it('takes no secret from an argument, where other users of the machine would see it', () => {
  expect(() => readArguments(['--admin-password', 'console-2026'])).toThrow(/^看不懂参数/)
  expect(formatHelp('node main.js')).not.toContain('--database-url')
  expect(formatHelp('node main.js')).toMatch(/^ {2}DATABASE_URL /m)
})

it('serves the console from the data folder unless SITE names another one', () => {
  expect(readArguments([], { DATA: '/srv/iot' }).settings.site.folder).toBe('/srv/iot/site')
  expect(readArguments(['--site', '/srv/site']).settings.site.folder).toBe('/srv/site')
})

it('answers --version and --help without reading any other setting', () => {
  expect(readArguments(['--version'], { PORT: 'x' }).answer).toContain(productVersion)
  expect(readArguments(['--help'], { PORT: 'x' }).answer).toContain('--no-devices')
})

const toGuidePath = (name: string) => join(__dirname, '../../docs', name)

// WRITE_SETTINGS=1 writes the tables into the guides.
it.each([
  ['operating.md', formatSettingsTable],
  ['operating.zh-CN.md', formatChineseSettingsTable],
])('describes every setting in the operating guide %s', (name, formatTable) => {
  const file = toGuidePath(name)
  const guide = readFileSync(file, 'utf8')
  const expected = guide.replace(
    /(<!-- settings -->\n).*(<!-- \/settings -->)/s,
    (_, start: string, end: string) => `${start}${formatTable()}\n${end}`,
  )
  if (process.env.WRITE_SETTINGS) writeFileSync(file, expected)
  expect(readFileSync(file, 'utf8')).toBe(expected)
  expect(expected).toContain('| `PUBLIC_URL` |')
})

it('names no command or file in the Chinese guide that the English one lacks', () => {
  const [english, chinese] = ['operating.md', 'operating.zh-CN.md'].map((name) =>
    readFileSync(toGuidePath(name), 'utf8'),
  )
  const commands = chinese!.match(/\b(pnpm|npm|docker|deploy\/)[ \w./:-]+\w/g)!
  expect(commands.length).toBeGreaterThan(8)
  expect(commands.filter((command) => !english!.includes(command))).toEqual([])
})
