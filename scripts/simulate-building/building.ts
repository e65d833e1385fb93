/** The simulated buildings as plain data: layout, devices and faulty lamps. They are the same at every start. */

type Box = { x: number; y: number; width: number; height: number }
/** The room has `columns` × `rows` evenly spaced lamps. */
export type Room = Box & { name: string; type: 'area' | 'room'; columns: number; rows: number }
export type Lamp = {
  deviceName: string
  name: string
  room: string
  x: number
  y: number
  protected: boolean
}
export type Sensor = {
  kind: 'climate' | 'presence' | 'meter'
  deviceName: string
  name: string
  room: string
  x: number
  y: number
}
export type Floor = {
  number: number
  rooms: Room[]
  lamps: Lamp[]
  sensors: Sensor[]
  edge: string
}
export type Building = { code: string; name: string; floors: Floor[] }

export const planSize = { width: 1200, height: 720 }

const createRoom = (
  name: string,
  x: number,
  y: number,
  width: number,
  height: number,
  columns = 0,
  rows = 0,
  type: Room['type'] = 'room',
): Room => ({ name, x, y, width, height, columns, rows, type })
const createArea = (...box: Parameters<typeof createRoom>) => ({
  ...createRoom(...box),
  type: 'area' as const,
})

const createTowerRooms = (number: number) => [
  createArea(number === 1 ? '大堂' : '北办公区', 40, 40, 480, 260, 4, 2),
  createRoom(number === 1 ? '接待室' : '会议室', 520, 40, 220, 260, 2, 2),
  createRoom('茶水间', 740, 40, 140, 260, 1, 1),
  createRoom(number === 1 ? '物业办公室' : '经理室', 880, 40, 280, 260, 3, 1),
  createArea('走廊', 40, 300, 1120, 100, 4, 1),
  createArea('南办公区', 40, 400, 520, 280, 3, 2),
  createArea('电梯厅', 560, 400, 180, 280, 1, 1),
  createRoom('洗手间', 740, 400, 140, 280, 1, 1),
  createRoom('弱电间', 880, 400, 280, 280),
]
const createLaboratoryRooms = () => [
  createArea('研发一区', 40, 40, 500, 300, 4, 2),
  createArea('研发二区', 40, 340, 500, 340, 3, 2),
  createArea('走廊', 540, 40, 120, 640, 1, 4),
  createRoom('实验室', 660, 40, 500, 260, 2, 2),
  createRoom('会议室', 660, 300, 280, 180, 2, 1),
  createRoom('打印间', 940, 300, 220, 180, 1, 1),
  createRoom('休息区', 660, 480, 280, 200, 1, 1),
  createRoom('弱电间', 940, 480, 220, 200),
]
const createCongressRooms = (number: number) => [
  createRoom('报告厅', 40, 40, 640, 400, 5, 2),
  createArea('序厅', 40, 440, 640, 240, 4, 1),
  createRoom('贵宾室', 680, 40, 240, 240, 2, 1),
  createRoom('东会议室', 920, 40, 240, 240, 2, 1),
  createArea('走廊', 680, 280, 480, 100, 3, 1),
  createRoom('西会议室', 680, 380, 240, 300, 1, 2),
  createArea('茶歇区', 920, 380, 240, 140, 2, 1),
  createRoom(number === 1 ? '控制室' : '弱电间', 920, 520, 240, 160, number === 1 ? 1 : 0, 1),
]

const getCentre = ({ x, y, width, height }: Box) => ({
  x: (x + width / 2) / planSize.width,
  y: (y + height / 2) / planSize.height,
})

/**
 * The last corridor lamp of these floors is emergency lighting, a protected circuit that bulk actions and scenes
 * skip.
 */
const emergencyFloors = new Set(['A1', 'A3', 'B1', 'B3', 'C1'])

function createLamps(code: string, floor: number, rooms: Room[]): Lamp[] {
  const lamps: Lamp[] = []
  for (const { name, x, y, width, height, columns, rows } of rooms) {
    for (let i = 0; i < columns * rows; i++) {
      const number = String(lamps.length + 1).padStart(3, '0')
      const isProtected =
        name === '走廊' && i === columns * rows - 1 && emergencyFloors.has(`${code}${floor}`)
      lamps.push({
        deviceName: `lamp-${code}${floor}-${number}`.toLowerCase(),
        name: `${code}座${floor}F-${name}-${isProtected ? '应急' : ''}${String(i + 1).padStart(2, '0')}`,
        room: name,
        x: (x + (width * ((i % columns) + 0.5)) / columns) / planSize.width,
        y: (y + (height * (Math.floor(i / columns) + 0.5)) / rows) / planSize.height,
        protected: isProtected,
      })
    }
  }
  return lamps
}

function createSensors(code: string, floor: number, rooms: Room[]): Sensor[] {
  const findRoom = (name: string) => rooms.find((room) => room.name === name) ?? rooms[0]!
  const createSensor = (
    kind: Sensor['kind'],
    label: string,
    sensorRoom: Room,
    offset: number,
  ): Sensor => ({
    kind,
    deviceName: `${kind}-${code}${floor}`.toLowerCase(),
    name: `${code}座${floor}F-${label}`,
    room: sensorRoom.name,
    x: getCentre(sensorRoom).x + offset / planSize.width,
    y: getCentre(sensorRoom).y,
  })
  return [
    createSensor('climate', '温湿度', rooms[0]!, 0),
    createSensor('presence', '人体存在', rooms[1]!, 26),
    createSensor(
      'meter',
      '电表',
      findRoom(rooms.some(({ name }) => name === '弱电间') ? '弱电间' : '控制室'),
      40,
    ),
  ]
}

const createBuilding = (
  code: string,
  name: string,
  layouts: Room[][],
  getEdgeName: (floor: number) => string,
): Building => ({
  code,
  name,
  floors: layouts.map((rooms, i) => ({
    number: i + 1,
    rooms,
    lamps: createLamps(code, i + 1, rooms),
    sensors: createSensors(code, i + 1, rooms),
    edge: getEdgeName(i + 1),
  })),
})

/** The data contain 3 buildings with 12 floors and 320 lamps (5 of them protected) behind 6 edge gateways. */
export const buildings: Building[] = [
  createBuilding(
    'A',
    '科创大厦 A 座',
    [1, 2, 3, 4, 5].map(createTowerRooms),
    (floor) => `edge-a${Math.ceil(floor / 2)}`,
  ),
  createBuilding(
    'B',
    '科创大厦 B 座',
    [1, 2, 3, 4].map(createLaboratoryRooms),
    (floor) => `edge-b${Math.ceil(floor / 2)}`,
  ),
  createBuilding('C', '会议中心', [1, 2, 3].map(createCongressRooms), () => 'edge-c1'),
]

/** These lamps do not obey a command at once. */
export type Behaviour =
  | { kind: 'refuses' }
  | { kind: 'silent' }
  | { kind: 'late'; ms: number }
  | { kind: 'absent' }

export const behaviours: Record<string, Behaviour> = {
  'lamp-a2-023': { kind: 'refuses' },
  'lamp-b4-005': { kind: 'silent' },
  'lamp-a3-004': { kind: 'late', ms: 1200 },
  'lamp-b1-011': { kind: 'late', ms: 2500 },
  'lamp-c1-014': { kind: 'late', ms: 4000 },
  // These lamps have no power and never connect.
  'lamp-a4-010': { kind: 'absent' },
  'lamp-b2-020': { kind: 'absent' },
  'lamp-c2-007': { kind: 'absent' },
}
