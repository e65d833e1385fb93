import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { formatBytes } from '@iot/shared/contract/bytes'
import { createBackup } from './core/backup/createBackup'
import { withDatabaseConnection } from './core/backup/openSource'
import { readPassphrase } from './core/backup/passphrase'
import { restoreBackup, verifyBackup } from './core/backup/restoreBackup'
import { configureLog } from './core/logging/log'
import { readEnvironment } from './programSettings'
import { getDatabaseSource, readSettings } from './settings'

type Print = (line: string) => void
type CommandOptions = { to?: string; data?: string; 'passphrase-file'?: string }

export const backupCommandNames = ['backup', 'restore', 'verify'] as const
type CommandName = (typeof backupCommandNames)[number]
export const isBackupCommand = (name: string | undefined): name is CommandName =>
  backupCommandNames.some((command) => command === name)

/** Somebody who waits sees within this time that the work goes on. */
const progressIntervalMs = 5000

/** Lists the commands with which a backup is made, checked and restored. */
export const formatBackupHelp = (command: string) => `备份与恢复：
  ${command} backup --to <文件>               备份数据库、上传的文件和控制台各版本；平台可以在运行
  ${command} verify <文件>                    检查备份：读完整个文件，在临时的数据库里恢复一遍，核对行数
  ${command} restore <文件> --data <目录>     恢复到空目录；设置了 DATABASE_URL 时恢复到那个空的数据库
  --data <目录>                数据目录（默认 .data，或环境变量 DATA）
  --passphrase-file <文件>     加密备份的口令所在的文件（或环境变量 BACKUP_PASSPHRASE_FILE）
  --config <文件>              从文件读取设置`

/**
 * Runs one of the commands and returns when it has succeeded.
 * @throws Error whose message, in Chinese, says what is wrong and that nothing was changed
 */
export async function runBackupCommand(
  program: string,
  name: CommandName,
  args: string[],
  environment: NodeJS.ProcessEnv,
  print: Print,
) {
  const { values, positionals } = parseCommand(program, args)
  if (values.help) return print(formatBackupHelp(program))
  const variables = readEnvironment(environment, values.config)
  const settings = readSettings({
    ...variables,
    ...(values.data !== undefined && { DATA: values.data }),
    ...(values['passphrase-file'] !== undefined && {
      BACKUP_PASSPHRASE_FILE: values['passphrase-file'],
    }),
  })
  configureLog({ level: settings.logLevel })
  const passphrase =
    settings.backup.passphraseFile && readPassphrase(settings.backup.passphraseFile)
  const [file] = positionals
  const { signal, stopListening } = abortOnSignals()
  const context = { settings, passphrase, signal, print, program }
  try {
    if (name === 'backup') return await backUp(context, values, positionals)
    if (file === undefined || positionals.length > 1) throw new Error(formatBackupHelp(program))
    await (name === 'verify' ? verify(context, file) : restore(context, file, values))
  } finally {
    stopListening()
  }
}

type CommandContext = {
  settings: ReturnType<typeof readSettings>
  passphrase?: string
  signal: AbortSignal
  print: Print
  program: string
}

async function backUp(
  { settings, passphrase, signal, print, program }: CommandContext,
  { to }: CommandOptions,
  positionals: string[],
) {
  if (!to || positionals.length > 0) throw new Error(formatBackupHelp(program))
  let printedMs = Date.now()
  const { bytes, rows } = await withDatabaseConnection(getDatabaseSource(settings), (client) =>
    createBackup(
      { client, siteFolder: settings.site.folder },
      {
        file: resolve(to),
        passphrase,
        signal,
        onProgress(readBytes) {
          if (Date.now() - printedMs < progressIntervalMs) return
          printedMs = Date.now()
          print(`已读 ${formatBytes(readBytes)}…`)
        },
      },
    ),
  )
  print(
    `${resolve(to)}：${formatBytes(bytes)}，${describeRows(rows)}${passphrase === undefined ? '，未加密' : '，已加密'}`,
  )
}

async function verify({ passphrase, signal, print }: CommandContext, file: string) {
  const scratchFolder = join(tmpdir(), `iot-verify-${process.pid}`)
  const { header, rows } = await verifyBackup(resolve(file), scratchFolder, {
    passphrase,
    signal,
    onStep: print,
  })
  print(
    `备份完好：${header.createTime}，版本 ${header.productVersion}，${describeRows(rows)}，已在临时数据库中恢复并核对`,
  )
}

async function restore(
  { settings, passphrase, signal, print, program }: CommandContext,
  file: string,
  { data }: CommandOptions,
) {
  if (data === undefined) throw new Error(formatBackupHelp(program))
  const { databaseUrl, site } = settings
  const folder = settings.data
  const { rows, header, foreign } = await restoreBackup(
    resolve(file),
    {
      folder,
      databaseUrl,
      siteFolder: site.folder === join(folder, 'site') ? undefined : site.folder,
    },
    { passphrase, signal, onStep: print },
  )
  if (foreign.length > 0) print(`不属于平台、没有恢复的表：${foreign.join('、')}`)
  print(
    `已恢复 ${header.createTime} 的备份：${describeRows(rows)}，逐表核对一致。用 --data ${folder} 启动平台；所有用户需要重新登录`,
  )
}

function parseCommand(program: string, args: string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        to: text,
        data: text,
        config: text,
        'passphrase-file': text,
        help: { type: 'boolean' },
      },
    })
  } catch {
    throw new Error(`看不懂参数：${args.join(' ')}\n${formatBackupHelp(program)}`)
  }
}

/** Ctrl-C ends the work in an orderly way, so that no temporary file or database stays. */
function abortOnSignals() {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error('已中断，没有留下文件'))
  const signalNames = ['SIGINT', 'SIGTERM'] as const
  for (const name of signalNames) process.once(name, abort)
  return {
    signal: controller.signal,
    stopListening() {
      for (const name of signalNames) process.off(name, abort)
    },
  }
}

function describeRows(rows: Record<string, number>) {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  return `${Object.keys(rows).length} 张表 ${total} 行`
}
