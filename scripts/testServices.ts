import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findInstalledServices } from 'server/services/installedServices'
import { createDatabaseTemplate } from 'server/services/serviceProcesses'
import { packageProgram } from './package/packageProgram'

/**
 * Runs the tests of two platform processes on a PostgreSQL and a Mosquitto of this machine. Arguments are passed to
 * Jest. The processes are those of the package, as on a site, which also start in half of the CPU time of the sources.
 */
const { missing } = findInstalledServices()
if (missing.length > 0) {
  console.error(
    `没有安装 ${missing.join('、')}：多进程测试不能运行（Debian：apt-get install postgresql mosquitto）`,
  )
  process.exit(1)
}
// One file at a time, because several groups of processes beside the other tests make partitions change hands by slowness
// alone. The limit of one byte gives each file a process of its own: what a failed file leaves open ends with it.
const options = ['--maxWorkers=1', '--workerIdleMemoryLimit=1']
const folder = mkdtempSync(join(tmpdir(), 'services-'))
const [program, template] = [join(folder, 'program'), join(folder, 'postgres')]
await packageProgram(program, [])
process.env.PROGRAM = program
await createDatabaseTemplate(template)
const { status } = spawnSync('node_modules/.bin/jest', [...options, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, SERVICES: '1', DATABASE_TEMPLATE: template },
})
rmSync(folder, { recursive: true })
process.exit(status ?? 1)
