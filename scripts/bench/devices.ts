import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from 'server/src/core/db/openDatabase'
import { startTestPostgres } from 'server/src/core/db/postgres/testing'
import { measureAlarmLoad } from './devices/alarmLoad'
import { insertProducts } from './devices/building'
import { measureLargeProject } from './devices/largeProject'
import { measureReportingLoad } from './devices/reportingLoad'
import { startPlatform } from './devices/platform'
import { pickSize } from './tools/size'

/**
 * Measures large projects on a separate platform process: reading a floor, preflight, a control task and its ledger;
 * then 2,500 devices that report once a minute while 20 pages watch, and the memory used; then the CPU time of 50 alarm
 * rules at 1,000 values a second. 0 skips a part.
 * @example pnpm bench devices 30 10000,100000
 * @example pnpm bench devices 3 0
 * @example pnpm bench devices 0 0 100000
 */
export default async function devices(
  minutes = pickSize('30', '1'),
  sizes = pickSize('10000,100000', '60'),
  alarmDevices = pickSize('100000', '60'),
  valuesPerSecond = pickSize('1000', '20'),
) {
  const postgres = await startTestPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'bench-devices-'))
  const platform = await startPlatform(postgres.url, folder)
  const { db, close } = await openDatabase({ kind: 'server', url: postgres.url })
  try {
    await insertProducts(db)
    for (const [index, size] of sizes.split(',').map(Number).filter(Boolean).entries())
      await measureLargeProject(platform, db, 11 + index, size)
    if (Number(minutes) > 0) await measureReportingLoad(platform, db, Number(minutes))
    if (Number(alarmDevices) > 0)
      await measureAlarmLoad(platform, db, Number(alarmDevices), Number(valuesPerSecond))
  } finally {
    await close()
    await platform.close()
    await postgres.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
