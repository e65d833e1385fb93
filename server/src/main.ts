import { listen } from './listen'
import { describeForErrorLog } from './core/safeError'
import { readSettings } from './settings'
import { exitOnUncaughtError } from './uncaught'

/**
 * Starts one server process of a cluster, configured by environment variables only; `npm start` runs the whole
 * product instead.
 */
async function main() {
  exitOnUncaughtError()
  const platform = await listen(readSettings(process.env))
  console.log(`平台已启动：${platform.urls.join(' ')}`)
  if (platform.mqttUrls.length > 0) console.log(`设备接入：${platform.mqttUrls.join(' ')}`)
  if (platform.adminPassword)
    console.log(
      `管理员 admin 的初始密码：${platform.adminPassword}（首次登录须修改，只显示这一次）`,
    )
  console.log(`数据库：${platform.app.database.about}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void platform.close().then(() => process.exit(0)))
  }
}

main().catch((error: unknown) => {
  console.error(describeForErrorLog(error).message)
  process.exit(1)
})
