import { dayMs } from '@iot/shared/contract/duration'
import { and, eq } from 'drizzle-orm'
import { transaction, type Db } from 'server/src/core/db/db'
import { createHistoryPartitions } from 'server/src/core/db/historyPartitions'
import { exampleDataQueries } from 'server/src/modules/exampleData/queries'
import { controlType } from 'server/src/tables/controlType'
import { project } from 'server/src/tables/project'
import { dimmingControl, hasDevices, insertBuilding } from '../simulate-building/seed'
import { addCatalogue } from './catalogue'
import { addControls } from './controls'
import { addEnergy, addSensorHistory, listHistoryTimes, setLamps } from './history'
import { addActionLog, addErrorLog, addIncidents, addLoginLog, addSnapshot } from './logs'
import { addOperation } from './operation'
import { addPeople } from './people'
import { author, createRecorder, type Recorder } from './recorder'

/** Marks the example projects that are still as the platform created them. */
async function recordProjects(tx: Db, recorder: Recorder) {
  const rows = await tx
    .update(project)
    .set(author)
    .where(and(eq(project.version, 1), eq(project.updateBy, '系统')))
    .returning({ projectId: project.projectId })
  recorder.add(
    'project',
    rows.map((row) => ({ id: String(row.projectId) })),
  )
}

async function recordControlType(tx: Db, recorder: Recorder) {
  recorder.add(
    'controlType',
    await tx
      .select({ id: controlType.id })
      .from(controlType)
      .where(
        and(eq(controlType.code, dimmingControl.code), eq(controlType.updateBy, author.updateBy)),
      ),
  )
}

/**
 * Adds the simulated buildings and what surrounds them in a site that has run for weeks, on a platform with the example
 * projects and without devices. All rows are recorded, so that they can be removed together.
 * @returns false if the platform has devices, or has or had an example site
 */
export async function addExampleSite(db: Db): Promise<boolean> {
  if (await hasDevices(db)) return false
  const nowMs = Date.now()
  await createHistoryPartitions(db).prepare(listHistoryTimes(nowMs))
  return transaction(db, async (tx) => {
    const queries = exampleDataQueries(tx)
    if (!(await queries.addSite())) return false
    const recorder = createRecorder()
    await recordProjects(tx, recorder)
    const building = await insertBuilding(tx)
    recorder.add('product', Object.values(building.products))
    recorder.add('space', building.spaces)
    recorder.add('device', building.devices)
    recorder.add('scene', building.scenes)
    await recordControlType(tx, recorder)
    await addCatalogue(tx, building, recorder)
    const people = await addPeople(tx, recorder)
    await addSnapshot(tx, '交付验收', nowMs - 21 * dayMs, recorder)
    await addOperation(tx, building, recorder)
    await addSnapshot(tx, '照明分区调整后', nowMs - 6 * dayMs, recorder)
    await addLoginLog(tx, people, nowMs, recorder)
    await addActionLog(tx, building, nowMs, recorder)
    await addControls(tx, building, people, nowMs, recorder)
    await addErrorLog(tx, nowMs, recorder)
    await addIncidents(tx, building, people, nowMs, recorder)
    await addSensorHistory(tx, building, nowMs)
    await setLamps(tx, building, nowMs)
    await addEnergy(tx, building, nowMs)
    await recorder.save(tx)
    return true
  })
}
