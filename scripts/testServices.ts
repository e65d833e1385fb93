import { spawnSync } from 'node:child_process'
import { findInstalledServices } from 'server/services/installedServices'

/**
 * Runs the tests of two platform processes on a PostgreSQL and a Mosquitto of this machine. Arguments are passed to
 * Jest.
 */
const { missing } = findInstalledServices()
if (missing.length > 0) {
  console.error(
    `没有安装 ${missing.join('、')}：多进程测试不能运行（Debian：apt-get install postgresql mosquitto）`,
  )
  process.exit(1)
}
// One file at a time: several groups of processes beside the other tests made partitions change hands by slowness alone.
const { status } = spawnSync('node_modules/.bin/jest', ['-w', '1', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, SERVICES: '1' },
})
process.exit(status ?? 1)
