import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { eq, sql } from 'drizzle-orm'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { uuidv7 } from 'uuidv7'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { actionLog } from '../../tables/actionLog'
import { alarmIncident, alarmRule, incidentDevice, incidentEvent } from '../../tables/alarm'
import { device, product } from '../../tables/device'
import { edgeHost } from '../../tables/deviceRecords'
import { project } from '../../tables/project'
import { floorPlan, space } from '../../tables/space'
import { task as taskTable } from '../../tables/task'
import { testApp } from '../../testing'
import { createTestDatabase } from '../../testing.database'
import { openDatabase } from './openDatabase'
import { withMigrationLock, migrate, listMigrationNames } from './migrate'
import { log } from '../logging/log'

const server = join(__dirname, '../..')

/** Imports every declared table, so that the migrations can be compared with the declarations. */
async function loadTables() {
  const schema: Record<string, unknown> = {}
  for (const name of await readdir(join(server, 'tables')))
    Object.assign(schema, await import(join(server, 'tables', name)))
  return schema
}

test('the migrations produce the declared schema: fresh = migrated', async () => {
  const metaFolder = join(server, 'migrations/meta')
  const lastSnapshotName = (await readdir(metaFolder))
    .filter((name) => name.endsWith('_snapshot.json'))
    .sort()
    .at(-1)!
  const snapshot = JSON.parse(readFileSync(join(metaFolder, lastSnapshotName), 'utf8'))
  expect(
    await generateMigration(
      snapshot,
      generateDrizzleJson(await loadTables(), snapshot.id, undefined, 'snake_case'),
    ),
  ).toEqual([])
})

test('a database migrated step by step has the same columns as the declared tables', async () => {
  const { app, close } = await testApp()
  const { rows } = await app.db.execute<{ table_name: string }>(
    sql`select distinct table_name from information_schema.columns where table_schema = 'public'`,
  )
  const names = rows.map((row) => row.table_name)
  for (const table of Object.values(await loadTables())) {
    if (typeof table !== 'object' || table === null || !(Symbol.for('drizzle:Name') in table))
      continue
    expect(names).toContain((table as Record<symbol, string>)[Symbol.for('drizzle:Name')])
    await app.db.execute(sql`select * from ${table as never} limit 0`)
  }
  await close()
})

test('old thing models are migrated to the current format, and current ones stay unchanged', async () => {
  const database = await openDatabase(await createTestDatabase())
  const lightProperty = { identifier: 'Brightness', name: '亮度', accessMode: 'rw' }
  const specs = { min: 0, max: 100, unit: '%' }
  const formerModel = {
    properties: [
      { ...lightProperty, dataType: { type: 'int', specs } },
      {
        ...lightProperty,
        identifier: 'Power',
        dataType: { type: 'bool', specs: { 0: '关', 1: '开' } },
      },
    ],
    services: [{ identifier: 'Identify', name: '闪灯定位' }],
    events: [{ identifier: 'Error', name: '故障', type: 'error' }],
  }
  const { properties } = formerModel
  const currentModel = ThingModel.parse({
    properties: [{ ...properties[0], isHistory: false, required: true }],
  })
  const models = [formerModel, { properties: [], services: [], events: [] }, currentModel]
  await database.db.insert(product).values(
    models.map((model, index) => ({
      createBy: 'test',
      updateBy: 'test',
      productKey: `key${index}`,
      name: `产品 ${index}`,
      productType: 'LIGHT',
      node: 'sub' as const,
      model: model as ThingModel,
      dynamicRegister: false,
    })),
  )
  await database.db.execute(
    sql.raw(readFileSync(join(server, 'migrations/0006_thing_model.sql'), 'utf8')),
  )
  const rows = await database.db.select().from(product).orderBy(product.productKey)
  expect(rows.map(({ model }) => model)).toEqual(models.map((model) => ThingModel.parse(model)))
  await database.close()
})

test('old floor plans lose the room names drawn by the console and get a new address', async () => {
  const database = await openDatabase(await createTestDatabase())
  const wallMarkup = '<rect x="1" y="2"/>'
  const scaleMarkup = '<text x="9" y="9" font-size="11" fill="#345">5 m</text>'
  const formatRoomName = (text: string, area: number) =>
    `<text x="4" y="6" font-size="16" font-weight="600" fill="#345">${text}</text><text x="8" y="6" font-size="11" fill="#345">${area} m²</text>`
  const svg = (names: string) => `<svg>\n${wallMarkup}\n${names}\n${scaleMarkup}\n</svg>`
  const plans = [
    { hash: 'former', svg: svg(formatRoomName('大堂', 48) + formatRoomName('茶水间', 12)) },
    { hash: 'later', svg: svg('') },
  ]
  await database.db.insert(floorPlan).values(plans)
  await database.db.insert(space).values(
    plans.map(({ hash }, sort) => ({
      projectId: 1,
      type: 'floor' as const,
      name: hash,
      sort,
      planHash: hash,
    })),
  )
  for (const statement of readFileSync(
    join(server, 'migrations/0034_plan_names.sql'),
    'utf8',
  ).split('--> statement-breakpoint'))
    await database.db.execute(sql.raw(statement))
  const floors = await database.db
    .select({ hash: space.planHash, svg: floorPlan.svg })
    .from(space)
    .innerJoin(floorPlan, eq(floorPlan.hash, space.planHash))
    .orderBy(space.sort)
  expect(floors).toEqual([
    { hash: expect.stringMatching(/^[0-9a-f]{32}$/), svg: svg('') },
    { hash: 'later', svg: svg('') },
  ])
  await database.close()
})

test('events that the hand-over kept become resolved incidents with their notes, unless a rule has reported them', async () => {
  const database = await openDatabase(await createTestDatabase())
  const { db } = database
  const runFile = async (name: string) => {
    for (const statement of readFileSync(join(server, 'migrations', name), 'utf8').split(
      '--> statement-breakpoint',
    ))
      await db.execute(sql.raw(statement))
  }
  await runFile('0045_incident.sql')
  const lampProduct = productRow('pkEvents', 'sub')
  const lamp = deviceRow(lampProduct, 'lamp')
  const reportedLamp = deviceRow(lampProduct, 'reported')
  const coveredLamp = deviceRow(lampProduct, 'covered')
  await insertDevices(db, [lampProduct], [lamp, reportedLamp, coveredLamp])
  const time = '2026-10-01T08:00:00.000Z'
  const ruleId = uuidv7()
  await db.insert(alarmRule).values({
    id: ruleId,
    name: '离线',
    severity: 'minor',
    source: { kind: 'offline', target: 'all' },
    forMinutes: 0,
    recoverMinutes: 0,
    createBy: 'test',
    updateBy: 'test',
  })
  const incidentId = uuidv7()
  const reportedTimes = { firstTime: time, openedTime: time, lastTime: time }
  await db.insert(alarmIncident).values({
    id: incidentId,
    projectId: 1,
    ruleId,
    ruleVersion: 1,
    ruleName: '离线',
    severity: 'minor',
    subjectKey: `device:${reportedLamp.id}`,
    subjectName: 'reported',
    title: 'reported 离线',
    ...reportedTimes,
  })
  await db.insert(incidentDevice).values(
    [reportedLamp, coveredLamp].map(({ id: deviceId, name }) => ({
      projectId: 1,
      incidentId,
      deviceId,
      name,
      firstTime: time,
    })),
  )
  const insertEvent = (deviceId: string, kind: string, notes: object[]) => {
    const id = uuidv7()
    return db
      .execute(
        sql`insert into incident (id, project_id, device_id, kind, identifier, text, count, first_time, last_time, notes)
      values (${id}, 1, ${deviceId}, ${kind}, '', '驱动故障', 3, ${time}, ${time}, ${JSON.stringify(notes)}::jsonb)`,
      )
      .then(() => id)
  }
  const note = { by: 'gone', time, text: '已报修' }
  const faultId = await insertEvent(lamp.id, 'fault', [note])
  const notedId = await insertEvent(reportedLamp.id, 'offline', [note])
  await insertEvent(coveredLamp.id, 'offline', [])
  const failedId = await insertEvent(reportedLamp.id, 'failed', [])
  await runFile('0095_device_incident_history.sql')
  const incidents = await db.select().from(alarmIncident).orderBy(alarmIncident.id)
  expect(incidents.map(({ id, title, status, count }) => [id, title, status, count])).toEqual([
    [incidentId, 'reported 离线', 'open', 1],
    [faultId, 'lamp 故障', 'resolved', 3],
    [notedId, 'reported 离线', 'resolved', 3],
    [failedId, 'reported 命令失败', 'resolved', 3],
  ])
  const events = await db.select().from(incidentEvent).where(eq(incidentEvent.incidentId, faultId))
  expect(events.map(({ kind, detail }) => [kind, detail]).sort()).toEqual([
    ['noted', { note: '已报修' }],
    ['opened', { text: '驱动故障' }],
    ['resolved', { reason: '升级前的记录' }],
  ])
  await database.close()
})

test('replaced hosts pass their plan position to their successor unless they were moved elsewhere', async () => {
  const database = await openDatabase(await createTestDatabase())
  const host = productRow('hosts', 'gateway')
  const floorId = uuidv7()
  const createHostRow = (deviceName: string, x: number, state: 'disabled' | 'online') => ({
    ...deviceRow(host, deviceName),
    floorId,
    x,
    y: 0.5,
    state,
  })
  const [replacedHost, relocatedHost, successorHost] = [
    createHostRow('old-host', 0.2, 'disabled'),
    createHostRow('moved-host', 0.7, 'disabled'),
    createHostRow('next-host', 0.2, 'online'),
  ]
  await insertDevices(database.db, [host], [replacedHost, relocatedHost, successorHost])
  await database.db.insert(edgeHost).values(
    [replacedHost, relocatedHost].map(({ id, projectId }) => ({
      deviceId: id,
      projectId,
      replacedBy: successorHost.id,
    })),
  )
  await database.db.execute(
    sql.raw(readFileSync(join(server, 'migrations/0056_replaced_host_point.sql'), 'utf8')),
  )
  const rows = await database.db
    .select({ name: device.deviceName, x: device.x })
    .from(device)
    .orderBy(device.deviceName)
  expect(rows).toEqual([
    { name: 'moved-host', x: 0.7 },
    { name: 'next-host', x: 0.2 },
    { name: 'old-host', x: null },
  ])
  await database.close()
})

test('projects learn from the audit log when their status changed last', async () => {
  const database = await openDatabase(await createTestDatabase())
  const { db } = database
  const [runningProject, renamedProject] = ['running', 'renamed'].map((name, sort) => ({
    projectId: 71 + sort,
    id: uuidv7(),
    groupName: '升级',
    name,
    code: name,
    engineeringId: 1,
    sort,
  })) as [typeof project.$inferInsert, typeof project.$inferInsert]
  await db.insert(project).values([runningProject, renamedProject])
  const insertEntry = (row: typeof runningProject, time: string, field: string, ok = true) =>
    db.insert(actionLog).values({
      time,
      username: 'admin',
      entity: '项目',
      entityId: row.id!,
      entityName: row.name,
      verb: '修改',
      ok,
      reason: '',
      duration: 1,
      address: '',
      traceId: '',
      changes: [{ field, title: field, before: '调试', after: '运行' }],
    })
  const statusTime = '2026-10-02T08:00:00.000Z'
  await insertEntry(runningProject, '2026-10-01T08:00:00.000Z', 'status')
  await insertEntry(runningProject, statusTime, 'status')
  await insertEntry(runningProject, '2026-10-03T08:00:00.000Z', 'status', false)
  await insertEntry(runningProject, '2026-10-04T08:00:00.000Z', 'name')
  await insertEntry(renamedProject, '2026-10-04T08:00:00.000Z', 'name')
  const migration = readFileSync(join(server, 'migrations/0101_project_status_time.sql'), 'utf8')
  await db.execute(sql.raw(migration.split('--> statement-breakpoint')[1]!))
  const rows = await db
    .select({ name: project.name, statusTime: project.statusTime })
    .from(project)
    .where(eq(project.groupName, '升级'))
    .orderBy(project.sort)
  expect(rows).toEqual([
    { name: 'running', statusTime },
    { name: 'renamed', statusTime: null },
  ])
  await database.close()
})

test('an interrupted migration resumes with existing rows, and two concurrent starts run one after the other', async () => {
  const database = await openDatabase(await createTestDatabase('empty'))
  const statements = (name: string) =>
    readFileSync(join(server, 'migrations', name), 'utf8').split('--> statement-breakpoint')
  const runMigration = async (name: string, selectedStatements: string[]) => {
    for (const statement of selectedStatements) await database.db.execute(sql.raw(statement))
    await database.db.execute(
      sql`insert into migration values (${name}, ${selectedStatements.length})`,
    )
  }
  await database.db.execute(
    sql`create table migration (name text primary key, statements integer not null)`,
  )
  for (const name of (await listMigrationNames()).slice(0, 8))
    await runMigration(name, statements(name))
  await runMigration('0008_task.sql', statements('0008_task.sql').slice(0, 1))
  const row = { id: '01900000-0000-7000-8000-000000000001', time: '2026-10-01T08:00:00.000Z' }
  await database.db.execute(sql`insert into control_task values
    (${row.id}, 1, '灯光全关 · 整个项目', 'action', 'done', '{"success":2}', 2, 'home:device:bulkControl', 'gone', ${row.time}, ${row.time}, ${row.time}, null)`)
  const runOrder: string[] = []
  const startProcess = (name: string) =>
    withMigrationLock(database.db, true, async () => {
      runOrder.push(`${name} begins`)
      await migrate(database.db)
      runOrder.push(`${name} ends`)
    })
  const logSpy = jest.spyOn(log, 'info').mockImplementation(() => {})
  await Promise.all([startProcess('one'), startProcess('other')])
  expect(runOrder).toEqual(['one begins', 'one ends', 'other begins', 'other ends'])
  expect(logSpy).toHaveBeenCalledTimes(1)
  logSpy.mockRestore()
  const { rows } = await database.db.execute<{ name: string }>(
    sql`select name from migration order by name`,
  )
  expect(rows.map(({ name }) => name)).toEqual(await listMigrationNames())
  const [task] = await database.db.select().from(taskTable)
  expect(task).toMatchObject({
    id: row.id,
    kind: 'control',
    projectId: 1,
    ownerId: null,
    createBy: 'gone',
    status: 'done',
    counts: { success: 2 },
    detail: { origin: 'action', permission: 'home:device:bulkControl', sourceId: null },
    listed: true,
    createTime: row.time,
    doneTime: row.time,
  })
  await database.close()
})

test('a process that died during its start does not block the next one on a database with one process', async () => {
  const database = await openDatabase(await createTestDatabase('empty'))
  await expect(
    withMigrationLock(database.db, false, () => Promise.reject(new Error('full disk'))),
  ).rejects.toThrow('full disk')
  await database.db.execute(
    sql`insert into migration_claim values (1, now() + interval '1 minute')`,
  )
  const logSpy = jest.spyOn(log, 'info').mockImplementation(() => {})
  expect(await withMigrationLock(database.db, false, async () => 'done')).toBe('done')
  // A process that waits for another one would have printed a message first.
  expect(logSpy).not.toHaveBeenCalled()
  logSpy.mockRestore()
  await database.close()
})
