import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { formatBackupHelp, isBackupCommand, runBackupCommand } from './backupCommands'
import { describeForErrorLog } from './core/logging/safeError'
import { isPackaged, programFolder } from './core/programFolder'
import { listen } from './listen'
import { readCommandLine } from './programSettings'
import { exitOnUncaughtError } from './uncaught'

/** Start-up lines are for the person at the terminal and therefore not part of the log. */
const print = (line: string) => void process.stdout.write(`${line}\n`)

const program = 'node main.js'

/**
 * Starts the platform: one process alone, or one of a cluster. Settings come from arguments, environment or a file;
 * `npm start` builds the console first and adds the simulated building.
 */
async function main() {
  exitOnUncaughtError()
  const [command, ...commandArguments] = process.argv.slice(2)
  if (isBackupCommand(command))
    return runBackupCommand(program, command, commandArguments, process.env, print)
  const { answer, settings } = readCommandLine(program, process.argv.slice(2), process.env)
  if (answer !== undefined) {
    print(answer)
    return process.argv.includes('--help') ? print(formatBackupHelp(program)) : undefined
  }
  const platform = await listen({
    ...settings,
    site: { ...settings.site, builds: listPackagedBuilds() },
  })
  print(`平台已启动：${platform.urls.join(' ')}`)
  if (platform.mqttUrls.length > 0) print(`设备接入：${platform.mqttUrls.join(' ')}`)
  if (platform.adminPassword)
    print(`管理员 admin 的初始密码：${platform.adminPassword}（首次登录须修改，只显示这一次）`)
  print(`数据库：${platform.app.database.about}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      platform.close().then(() => process.exit(0), exitWithError)
    })
  }
}

/** The package contains builds of the console; from sources `npm start` and `pnpm release` publish them. */
const listPackagedBuilds = () => {
  const folder = join(programFolder, 'builds')
  return isPackaged ? readdirSync(folder).map((name) => join(folder, name)) : []
}

function exitWithError(error: unknown) {
  process.stderr.write(`${describeForErrorLog(error).message}\n`)
  process.exit(1)
}

main().catch(exitWithError)
