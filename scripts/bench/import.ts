import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Task } from '@iot/shared/contract/sheet/task.schema'
import { uuidv7 } from 'uuidv7'
import type { FastifyInstance } from 'fastify'
import { buildApp } from 'server/src/app'
import { startTestPostgres } from 'server/src/core/db/postgres/testing'
import { standardModel } from 'server/src/modules/category/standard'
import { product } from 'server/src/tables/device'
import { pickSize } from './tools/size'

const rowCount = pickSize(10_000, 100)
const rounds = pickSize([1, 2, 3], [1])
const password = 'bench-2026'
const header = ['设备名称', 'DeviceName', '产品', '位置', '受保护']

/**
 * Imports 10,000 devices from a file, one percent of them wrong, into the embedded database (`postgres` for a
 * PostgreSQL server).
 */
export default async function importDevices(engine = 'embedded') {
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'))
  const server = engine === 'postgres' ? await startTestPostgres() : undefined
  const app = await buildApp({
    database: server ? { kind: 'server', url: server.url } : { kind: 'embedded', folder },
    adminPassword: password,
  })
  try {
    await app.db.insert(product).values({
      id: uuidv7(),
      createBy: 'bench',
      updateBy: 'bench',
      productKey: 'a1bench0001',
      name: '灯',
      productType: 'SAFEWAY_LIGHT',
      node: 'sub',
      dynamicRegister: false,
      model: standardModel('Light'),
    })
    const { token } = await callApi<{ token: string }>(app, '/v1/auth/login', {
      username: 'admin',
      password,
    })
    for (const round of rounds) {
      const table = [
        header,
        ...Array.from({ length: rowCount }, (_, n) => [
          `灯 ${round}-${n}`,
          n % 100 === 99 ? 'x' : `lamp-${round}-${n}`,
          ...['灯', '', n % 50 === 0 ? '是' : '否'],
        ]),
      ]
      const startTime = performance.now()
      const cpu = process.cpuUsage()
      const preview = await callApi<Task>(app, '/v1/device/import', { projectId: 1, table }, token)
      const { id: confirm } = await waitForTask(app, preview.id)
      const previewSeconds = (performance.now() - startTime) / 1000
      const { id } = await callApi<Task>(app, '/v1/device/import', { projectId: 1, confirm }, token)
      const task = await waitForTask(app, id)
      const { user, system } = process.cpuUsage(cpu)
      const seconds = (performance.now() - startTime) / 1000
      console.log(
        `${engine}, ${rowCount * (round - 1)} devices before: ${seconds.toFixed(1)} s, of them ${previewSeconds.toFixed(1)} s preview, ${Math.round(rowCount / seconds)} rows a second, ${((user + system) / 1e6).toFixed(1)} s of CPU in this process; ${JSON.stringify(task.counts)}, ${task.secrets?.name}, ${task.file?.name}`,
      )
    }
  } finally {
    await app.close()
    await server?.close()
    await rm(folder, { recursive: true })
  }
}

async function waitForTask(app: FastifyInstance, id: string) {
  for (;;) {
    const row = await app.tasks.find(id)
    if (row?.doneTime) return row
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function callApi<T>(app: FastifyInstance, url: string, payload: object, token?: string) {
  const response = await app.inject({
    method: 'POST',
    url,
    payload,
    headers: token ? { satoken: `Bearer ${token}` } : {},
  })
  const { code, msg, data } = response.json<{ code: number; msg: string; data: T }>()
  if (code !== 0) throw new Error(`${url}: ${msg}`)
  return data
}
