import { createHash, randomBytes } from 'node:crypto'
import type { Scope } from '@iot/shared/contract/control/control.schema'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { uuidv7 } from 'uuidv7'
import { standardModel } from 'server/src/modules/category/standard'
import { exampleAuthor } from 'server/src/modules/exampleData/kinds'
import { controlType } from 'server/src/tables/controlType'
import { device, deviceCredential, product } from 'server/src/tables/device'
import { scene, sceneAction } from 'server/src/tables/scene'
import { floorPlan, space } from 'server/src/tables/space'
import { transaction, type Db } from 'server/src/core/db/db'
import { behaviours, buildings, planSize, type Floor } from './building'
import { drawFloor } from './floorPlan'

export const projectId = 1

export const dimmingControl = {
  name: '照明调光',
  code: 'light-dim',
  capability: 'DIM' as const,
  functions: ['PowerSwitch', 'Brightness'],
  widget: 'slider' as const,
  description: '开关和亮度',
  status: 'enabled' as const,
}
const productDefinitions = {
  edge: {
    name: '边缘网关',
    productType: 'EDGE_HOST',
    node: 'gateway',
    modelNo: 'EG-200',
    net: 'ethernet',
    protocol: 'mqtt',
    ratedPower: 15,
    description: '楼层弱电间里的边缘主机',
    model: standardModel('EdgeGateway'),
  },
  lamp: {
    name: '安全照明灯',
    productType: 'SAFEWAY_LIGHT',
    node: 'sub',
    modelNo: 'SL-40',
    net: 'other',
    protocol: 'dali',
    controlTypes: [dimmingControl.code],
    ratedPower: 40,
    ratedLifeHours: 30_000,
    description: '办公与走廊照明，可调光',
    model: standardModel('Light'),
  },
  climate: {
    name: '温湿度传感器',
    productType: 'CLIMATE_SENSOR',
    node: 'sub',
    modelNo: 'TH-11',
    net: 'zigbee',
    protocol: 'zigbee',
    description: '室内温度与湿度',
    model: standardModel('TemperatureHumiditySensor'),
  },
  presence: {
    name: '人体存在传感器',
    productType: 'PRESENCE_SENSOR',
    node: 'sub',
    modelNo: 'PS-24',
    net: 'zigbee',
    protocol: 'zigbee',
    description: '毫米波人体存在',
    model: standardModel('PresenceSensor'),
  },
  meter: {
    name: '电表',
    productType: 'ELECTRICITY_METER',
    node: 'sub',
    modelNo: 'EM-3P',
    net: 'other',
    protocol: 'modbus',
    description: '每层照明配电的三相电表',
    model: standardModel('ElectricityMeter'),
  },
} as const

type SeedRows = {
  spaces: (typeof space.$inferInsert)[]
  plans: (typeof floorPlan.$inferInsert)[]
  devices: (typeof device.$inferInsert)[]
  credentials: (typeof deviceCredential.$inferInsert)[]
}

type ProductKind = keyof typeof productDefinitions
type Products = Record<ProductKind, typeof product.$inferInsert & { id: string }>
type DeviceFields = Partial<typeof device.$inferInsert>
const author = { createBy: exampleAuthor, updateBy: exampleAuthor }

/** The rows of the simulated buildings, for data that refers to them. */
export type BuildingRows = SeedRows & {
  products: Products
  scenes: { id: string; name: string }[]
}

/**
 * Adds the simulated buildings to project 1 of a platform without devices. The layout is always the same; keys and
 * secrets are random, as in a real installation.
 * @returns false if the platform already has devices
 */
export async function seedBuilding(db: Db): Promise<boolean> {
  if (await hasDevices(db)) return false
  await transaction(db, insertBuilding)
  return true
}

export const hasDevices = async (db: Db) =>
  (await db.select({ id: device.id }).from(device).limit(1)).length > 0

export async function insertBuilding(tx: Db): Promise<BuildingRows> {
  const products = createProducts()
  const rows = createBuildingRows(products)
  await tx
    .insert(controlType)
    .values({ ...dimmingControl, ...author })
    .onConflictDoNothing()
  await tx.insert(product).values(Object.values(products))
  await tx.insert(floorPlan).values(rows.plans)
  await tx.insert(space).values(rows.spaces)
  await tx.insert(device).values(rows.devices)
  await tx.insert(deviceCredential).values(rows.credentials)
  return { ...rows, products, scenes: await insertScenes(tx, rows.spaces) }
}

const createProducts = () =>
  Object.fromEntries(
    Object.entries(productDefinitions).map(([kind, definition]) => [
      kind,
      {
        ...author,
        ...definition,
        controlTypes: 'controlTypes' in definition ? [...definition.controlTypes] : [],
        id: uuidv7(),
        productKey: `a1${randomBytes(5).toString('hex').slice(0, 9)}`,
        dynamicRegister: false,
        status: 'published' as const,
      },
    ]),
  ) as Products

function createBuildingRows(products: Products): SeedRows {
  const rows: SeedRows = { spaces: [], plans: [], devices: [], credentials: [] }
  /** Ids of the edge gateways; one gateway may serve several floors. */
  const gatewayIds = new Map<string, string>()
  for (const [index, building] of buildings.entries()) {
    const buildingId = addSpace(rows, null, 'building', building.name, index + 1)
    for (const floor of building.floors) {
      const hash = addPlan(rows, floor)
      const floorId = addSpace(rows, buildingId, 'floor', `${floor.number} 层`, floor.number, hash)
      const roomIds = new Map(
        floor.rooms.map((room, i) => [
          room.name,
          addSpace(rows, floorId, room.type, room.name, i + 1),
        ]),
      )
      if (!gatewayIds.has(floor.edge))
        gatewayIds.set(
          floor.edge,
          addDevice(
            rows,
            products.edge,
            floor.edge,
            `${building.code}座边缘网关 ${floor.edge.slice(-1)}`,
            { floorId, spaceId: floorId },
          ),
        )
      const gatewayId = gatewayIds.get(floor.edge)!
      for (const lamp of floor.lamps)
        addDevice(rows, products.lamp, lamp.deviceName, lamp.name, {
          gatewayId,
          floorId,
          spaceId: roomIds.get(lamp.room)!,
          x: lamp.x,
          y: lamp.y,
          protected: lamp.protected,
          state: behaviours[lamp.deviceName]?.kind === 'absent' ? 'offline' : 'inactive',
          reported: { PowerSwitch: 1, Brightness: 80 },
        })
      for (const sensor of floor.sensors)
        addDevice(rows, products[sensor.kind], sensor.deviceName, sensor.name, {
          gatewayId,
          floorId,
          spaceId: roomIds.get(sensor.room)!,
          x: sensor.x,
          y: sensor.y,
        })
    }
  }
  return rows
}

/** Returns the hash of the plan. The picture is protected only by its address, so the hash includes a random part. */
function addPlan(rows: SeedRows, floor: Floor): string {
  const svg = drawFloor(floor)
  const hash = createHash('sha256').update(randomBytes(16)).update(svg).digest('hex').slice(0, 32)
  rows.plans.push({ hash, svg })
  return hash
}

function addSpace(
  rows: SeedRows,
  parentId: string | null,
  type: 'building' | 'floor' | 'area' | 'room',
  name: string,
  sort: number,
  planHash?: string,
): string {
  const id = uuidv7()
  rows.spaces.push({
    ...author,
    id,
    projectId,
    parentId,
    type,
    name,
    sort,
    ...(planHash && { planHash, planWidth: planSize.width, planHeight: planSize.height }),
  })
  return id
}

function addDevice(
  rows: SeedRows,
  { id: productId, productKey }: Products[ProductKind],
  deviceName: string,
  name: string,
  extraFields: DeviceFields = {},
): string {
  const id = uuidv7()
  rows.devices.push({
    ...author,
    id,
    projectId,
    productId,
    name,
    deviceName,
    protected: false,
    state: 'inactive',
    reported: {},
    address: '',
    createTime: new Date().toISOString(),
    ...extraFields,
  })
  rows.credentials.push({
    productKey,
    deviceName,
    deviceSecret: randomBytes(16).toString('hex'),
    projectId,
    deviceId: id,
  })
  return id
}

type Action = { scope: Scope; values: Values }

async function insertScenes(db: Db, spaces: SeedRows['spaces']) {
  const projectScope: Scope = { kind: 'project' }
  const offValues: Values = { PowerSwitch: 0 }
  const createOnValues = (Brightness: number): Values => ({ PowerSwitch: 1, Brightness })
  const createRoomActions = (names: RegExp, values: Values): Action[] =>
    spaces
      .filter(({ type, name }) => (type === 'area' || type === 'room') && names.test(name))
      .map(({ id }) => ({ scope: { kind: 'space', spaceId: id! }, values }))
  const scenes: [name: string, icon: string, actions: Action[]][] = [
    ['上班', 'SunOutlined', [{ scope: projectScope, values: createOnValues(80) }]],
    ['下班', 'MoonOutlined', [{ scope: projectScope, values: offValues }]],
    ['会议', 'TeamOutlined', createRoomActions(/会议室|接待室|贵宾室/, createOnValues(90))],
    ['演讲', 'AudioOutlined', createRoomActions(/报告厅/, createOnValues(20))],
    ['午休', 'CoffeeOutlined', createRoomActions(/办公区|研发/, createOnValues(30))],
    [
      '清扫',
      'ClearOutlined',
      createRoomActions(/走廊|办公区|洗手间|大堂|序厅/, createOnValues(60)),
    ],
    [
      '夜间巡检',
      'EyeOutlined',
      [
        { scope: projectScope, values: offValues },
        ...createRoomActions(/走廊|电梯厅/, createOnValues(40)),
      ],
    ],
    ['迎宾', 'SmileOutlined', createRoomActions(/大堂|序厅|电梯厅/, createOnValues(100))],
  ]
  const insertedScenes: BuildingRows['scenes'] = []
  for (const [index, [name, icon, actions]] of scenes.entries()) {
    const id = uuidv7()
    insertedScenes.push({ id, name })
    await db.insert(scene).values({ ...author, id, projectId, name, icon, sort: index + 1 })
    await db.insert(sceneAction).values(
      actions.map((action, i) => ({
        ...action,
        projectId,
        sceneId: id,
        sort: i + 1,
        productType: 'SAFEWAY_LIGHT',
      })),
    )
  }
  return insertedScenes
}
