import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import { taskApi } from '@iot/shared/contract/sheet/task.api'
import type { Endpoint, Input, Output } from '@iot/shared/contract/endpoint'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { sql } from 'drizzle-orm'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from 'server/src/app'
import { pickSize } from './tools/size'

const floors = pickSize(100, 2)
const rooms = pickSize(19, 2)
const lamps = pickSize(9, 2)
const password = 'bench-2026'

/**
 * Measures snapshots of a project of 20,000 nodes on the embedded database: taking, comparing, a dry run and
 * restoring.
 */
export default async function snapshot() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-snapshot-'))
  const app = await buildApp({
    database: { kind: 'embedded', folder },
    adminPassword: password,
    empty: true,
  })
  let token = ''
  async function send<E extends Endpoint>({ method, path }: E, input: Input<E>) {
    const remainingInput = { ...(input as Record<string, unknown>) }
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(remainingInput[name])
      delete remainingInput[name]
      return value
    })
    const hasBody = method === 'POST' || method === 'PUT'
    const response = await app.inject({
      method,
      url,
      ...(hasBody
        ? { payload: remainingInput }
        : { query: remainingInput as Record<string, string> }),
      headers: token ? { satoken: `Bearer ${token}` } : {},
    })
    const { code, msg, data } = response.json<{ code: number; msg: string; data: Output<E> }>()
    if (code !== 0) throw new Error(`${path}: ${msg}`)
    return { data, bytes: response.body.length }
  }
  async function runTimed<T>(label: string, work: () => Promise<T>) {
    const start = performance.now()
    const value = await work()
    console.log(`${label.padEnd(40)}${(performance.now() - start).toFixed(0).padStart(8)} ms`)
    return value
  }

  try {
    token = (await send(authApi.login, { username: 'admin', password })).data.token
    const draft = {
      name: '万灯大厦',
      code: 'bench',
      groupName: '测试',
      type: 'office' as const,
      areaCode: '440305',
      address: '',
      longitude: null,
      latitude: null,
      area: null,
      manager: '',
      phone: '',
      calendarId: null,
      sort: 1,
    }
    const { projectId } = (await send(managedProjectApi.create, draft)).data
    await app.db.execute(sql`
      with tower as (
        insert into space (id, project_id, type, name, sort)
        values (gen_random_uuid(), ${projectId}, 'building', '主楼', 1) returning id),
      floors as (
        insert into space (id, project_id, parent_id, type, name, sort)
        select gen_random_uuid(), ${projectId}, tower.id, 'floor', n || ' 层', n
        from tower, generate_series(1, ${floors}::int) as n returning id)
      insert into space (id, project_id, parent_id, type, name, sort)
      select gen_random_uuid(), ${projectId}, floors.id, 'room', '房间 ' || n, n
      from floors, generate_series(1, ${rooms}::int) as n`)
    await app.db.execute(sql`
      with kind as (
        insert into product (id, product_key, name, product_type, node, model, dynamic_register, create_by, create_time, update_by, update_time)
        values (gen_random_uuid(), 'bench', '灯', 'SAFEWAY_LIGHT', 'direct', '{"properties":[],"services":[],"events":[]}', false, '', now(), '', now())
        returning id)
      insert into device (id, project_id, product_id, name, device_name, space_id, floor_id, protected, state, x, y, reported, address, create_time)
      select gen_random_uuid(), ${projectId}, kind.id, '灯 ' || n, space.id || '-' || n, space.id, space.parent_id, false, 'offline', 0.5, 0.5, '{}', '', now()
      from kind, space, generate_series(1, ${lamps}::int + 1) as n
      where space.project_id = ${projectId} and space.type = 'room' and (n <= ${lamps} or space.sort <= 10)`)
    const snapshotTree = await send(snapshotApi.tree, { projectId })
    console.log(`${snapshotTree.data.deviceCount} devices, ${1 + floors + floors * rooms} spaces`)
    const { data: takenSnapshot } = await runTimed('take', () =>
      send(snapshotApi.take, { projectId, name: '之前' }),
    )
    await runTimed('tree of one', () =>
      send(snapshotApi.tree, { projectId, snapshotId: takenSnapshot.id }),
    )
    await app.db.execute(sql`
      update device set x = x / 2 where project_id = ${projectId} and name in ('灯 1', '灯 2')`)
    await runTimed('compare, one in five changed', () =>
      send(snapshotApi.tree, { projectId, since: takenSnapshot.id }),
    )
    await app.db.execute(sql`update device set y = y / 2 where project_id = ${projectId}`)
    const { bytes } = await runTimed('compare, all changed', () =>
      send(snapshotApi.tree, { projectId, since: takenSnapshot.id }),
    )
    console.log(`  ${(bytes / 1e6).toFixed(1)} MB`)
    const { data: dryRun } = await runTimed('try', () =>
      send(snapshotApi.preview, { id: takenSnapshot.id }),
    )
    await runTimed(`restore ${dryRun.counts.changed} devices`, async () => {
      const { data: task } = await send(snapshotApi.restore, {
        id: takenSnapshot.id,
        state: dryRun.state,
      })
      for (;;) {
        const { data } = await send(taskApi.get, { id: task.id })
        if (data.doneTime && data.status === 'done') return
        if (data.doneTime) throw new Error(data.reason)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
  } finally {
    await app.close()
    await rm(folder, { recursive: true, force: true })
  }
}
