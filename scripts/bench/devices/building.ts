import type { Db } from 'server/src/core/db/db'
import { insertDevices, productRow, type DeviceRow } from 'server/src/device-access/testing'
import { product } from 'server/src/tables/device'
import { project } from 'server/src/tables/project'
import { space } from 'server/src/tables/space'
import { uuidv7 } from 'uuidv7'

export const lampProduct = productRow('benchLamp', 'sub')
export const edgeProduct = productRow('benchEdge', 'gateway')
export const directProduct = productRow('benchDirect', 'direct')

export const insertProducts = (db: Db) =>
  db.insert(product).values([lampProduct, edgeProduct, directProduct])

/**
 * Adds a building with this many floors to a project, which is created if it is missing.
 * @returns the ids of the floors
 */
export async function insertFloors(db: Db, projectId: number, count: number) {
  const name = `测试项目 ${projectId}`
  await db
    .insert(project)
    .values({
      projectId,
      engineeringId: 1,
      sort: projectId,
      groupName: '测试片区',
      name,
      code: `bench-${projectId}`,
    })
    .onConflictDoNothing()
  const building = uuidv7()
  const floors = Array.from({ length: count }, () => uuidv7())
  const row = { projectId, sort: 1 }
  await db.insert(space).values([
    { ...row, id: building, parentId: null, type: 'building', name: '测试楼' },
    ...floors.map((id, n) => ({
      ...row,
      id,
      parentId: building,
      sort: n + 1,
      type: 'floor' as const,
      name: `${n + 1} 层`,
    })),
  ])
  return floors
}

export async function insertDeviceRows(db: Db, rows: DeviceRow[]) {
  for (let n = 0; n < rows.length; n += 2000) await insertDevices(db, [], rows.slice(n, n + 2000))
}

export const getFloorPosition = (floorId: string, n: number) => ({
  floorId,
  spaceId: floorId,
  x: (n % 25) / 25,
  y: Math.floor(n / 25) / 20,
})
