import { listen } from './listen'
import { readSettings } from './settings'

/** One server process of many, configured by the environment alone; `npm start` runs the whole product instead. */
async function main() {
  const platform = await listen(readSettings(process.env))
  console.log(`平台已启动：${platform.url}`)
  if (platform.adminPassword)
    console.log(
      `管理员 admin 的初始密码：${platform.adminPassword}（首次登录须修改，只显示这一次）`,
    )
  if (platform.app.database.kind === 'embedded')
    console.log(
      '使用内置数据库：进程被杀不丢数据，断电可能丢失最近约半分钟；正式使用请设置 DATABASE_URL',
    )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void platform.close().then(() => process.exit(0)))
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
