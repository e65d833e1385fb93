import { listen } from './listen'
import { describeForErrorLog } from './core/logging/safeError'
import { readSettings } from './settings'
import { exitOnUncaughtError } from './uncaught'

/** Start-up lines are for the person at the terminal and therefore not part of the log. */
const print = (line: string) => void process.stdout.write(`${line}\n`)

/**
 * Starts one server process of a cluster, configured by environment variables only; `npm start` runs the whole
 * product instead.
 */
async function main() {
  exitOnUncaughtError()
  const platform = await listen(readSettings(process.env))
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

function exitWithError(error: unknown) {
  process.stderr.write(`${describeForErrorLog(error).message}\n`)
  process.exit(1)
}

main().catch(exitWithError)
