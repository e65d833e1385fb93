import { readFileSync } from 'node:fs'
import { parseArgs, parseEnv } from 'node:util'
import { settingTexts } from './settingTexts'
import { readSettings, settingDefaults, settingNames, type SettingName } from './settings'
import { describeVersion } from './core/version'

/** A flag that only one way of starting has, for example `--empty` of `npm start`. */
type ExtraFlags = Record<string, { help: string; default: boolean }>

const toFlag = (name: SettingName) => name.toLowerCase().replaceAll('_', '-')
const flagNames = settingNames.filter((name) => !settingTexts[name].isSecret)

/** Lists every setting with its flag, its variable and its default. */
export function formatHelp(command: string, extraFlags: ExtraFlags = {}) {
  const rows = [
    ...Object.entries(extraFlags).map(([flag, { help, default: isOn }]) => [
      `--${isOn ? 'no-' : ''}${flag}`,
      help,
    ]),
    ['--config <文件>', '从文件读取设置，每行一个 名称=值（也可用环境变量 CONFIG）'],
    ['--version', '版本、提交和构建时间'],
    ...settingNames.map((name) => {
      const fallback = settingDefaults[name]
      const { help, isSecret } = settingTexts[name]
      const label = isSecret ? name : `--${toFlag(name)}, ${name}`
      return [label, help + (fallback === undefined ? '' : `（默认 ${String(fallback)}）`)]
    }),
  ]
  const width = Math.max(...rows.map(([label]) => label!.length)) + 2
  return [
    `${command} [参数]`,
    '参数优先于环境变量，环境变量优先于文件。没有参数形式的只从环境变量或文件读取，因为其他用户看得到参数。',
    ...rows.map(([label, help]) => `  ${label!.padEnd(width)}${help}`),
  ].join('\n')
}

/** Writes the table of docs/operating.md. */
export const formatSettingsTable = () =>
  [
    '| setting | meaning | default |',
    '| --- | --- | --- |',
    ...settingNames.map(
      (name) =>
        `| \`${name}\` | ${settingTexts[name].description} | ${String(settingDefaults[name] ?? '')} |`,
    ),
  ].join('\n')

/** Writes the table of docs/operating.zh-CN.md from the texts of `--help`. */
export const formatChineseSettingsTable = () =>
  [
    '| 设置 | 含义 | 默认 |',
    '| --- | --- | --- |',
    ...settingNames.map(
      (name) =>
        `| \`${name}\` | ${settingTexts[name].help} | ${String(settingDefaults[name] ?? '')} |`,
    ),
  ].join('\n')

type CommandLine = {
  /** The caller prints this text and ends with 0. */
  answer?: string
  settings: ReturnType<typeof readSettings>
  flags: Record<string, boolean>
}

/**
 * Reads the settings of the program: from its arguments, else from the environment, else from a file.
 * @throws Error with one line for each wrong value, unknown argument or unknown name in the file
 */
export function readCommandLine(
  command: string,
  args: string[],
  environment: NodeJS.ProcessEnv,
  extraFlags: ExtraFlags = {},
): CommandLine {
  const { config, help, version, ...values } = parseArguments(command, args, extraFlags)
  const answer = help ? formatHelp(command, extraFlags) : version ? describeVersion() : undefined
  const flags = Object.fromEntries(
    Object.entries(extraFlags).map(([flag, { default: isOn }]) => [flag, values[flag] ?? isOn]),
  ) as Record<string, boolean>
  if (answer !== undefined) return { answer, flags, settings: readSettings({}) }

  const file = (config as string | undefined) ?? environment.CONFIG
  const fromArguments = Object.fromEntries(
    flagNames.map((name) => [name, values[toFlag(name)] as string | undefined]),
  )
  const definedArguments = Object.fromEntries(
    Object.entries(fromArguments).filter(([, value]) => value !== undefined),
  )
  const nonEmptyEnvironment = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== ''),
  )
  const settings = readSettings({
    ...(file ? readFile(file) : {}),
    ...nonEmptyEnvironment,
    ...definedArguments,
  })
  return { flags, settings }
}

function parseArguments(command: string, args: string[], extraFlags: ExtraFlags) {
  const text = { type: 'string' } as const
  const boolean = { type: 'boolean' } as const
  try {
    const { values } = parseArgs({
      args,
      allowNegative: true,
      options: {
        config: text,
        help: boolean,
        version: boolean,
        ...Object.fromEntries(flagNames.map((name) => [toFlag(name), text])),
        ...Object.fromEntries(Object.keys(extraFlags).map((flag) => [flag, boolean])),
      },
    })
    return values as Record<string, string | boolean | undefined>
  } catch {
    throw new Error(`看不懂参数：${args.join(' ')}\n${formatHelp(command, extraFlags)}`)
  }
}

/** Reads lines `NAME=value`, as systemd's EnvironmentFile and Docker's --env-file do. */
function readFile(file: string): Record<string, string | undefined> {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`读不到配置文件：${file}`, { cause })
  }
  const values = parseEnv(text)
  // A misspelt name would otherwise leave its setting at the default in silence.
  const unknownNames = Object.keys(values).filter((name) => !(name in settingTexts))
  if (unknownNames.length > 0)
    throw new Error(`配置文件 ${file} 中没有这样的设置：${unknownNames.join('、')}`)
  return values
}
