import { buildApp } from '/work/wt/ops/server/src/app'
import { addExampleSite } from '/work/wt/ops/scripts/example-site/addExampleSite'
import { seedBuilding } from '/work/wt/ops/scripts/simulate-building/seed'
import { mkdtempSync, rmSync } from 'node:fs'
async function main() {
for (const [name, add] of [['building', seedBuilding], ['site', addExampleSite]] as const) {
  const folder = mkdtempSync('/tmp/ops/m-')
  const app = await buildApp({ database: { kind: 'embedded', folder }, adminPassword: 'Console-2026', logLevel: 'silent' })
  const start = performance.now()
  const cpu = process.cpuUsage()
  console.log(name, await add(app.db), Math.round(performance.now() - start), 'ms', 'cpu', process.cpuUsage(cpu).user / 1000)
  await app.close(); rmSync(folder, { recursive: true })
}
}
main()
