import { randomUUID } from 'node:crypto'
import { shiftDate } from '@iot/shared/contract/project/calendarDay'
import type {
  ControlRequest,
  ControlScope,
  LedgerState,
} from '@iot/shared/contract/control/control.schema'
import { getRequiredPermission } from '@iot/shared/contract/device/devicePermissions'
import { platformTimeZone, toEpochMs, toZonedDate } from '@iot/shared/contract/timeZone'
import type { Db } from 'server/src/core/db/db'
import { planRequest, type Planned } from 'server/src/modules/control/plan'
import { skipText } from 'server/src/modules/control/policy'
import { createZeroCounts } from 'server/src/modules/control/ledgerQueries'
import { controlQueries } from 'server/src/modules/control/queries'
import { controlLedger } from 'server/src/tables/control'
import { sceneRun } from 'server/src/tables/scene'
import { task } from 'server/src/tables/task'
import { uuidv7 } from 'uuidv7'
import { behaviours } from '../simulate-building/building'
import { projectId, type BuildingRows } from '../simulate-building/seed'
import type { ExamplePerson } from './people'
import type { Recorder } from './recorder'

const productType = 'SAFEWAY_LIGHT'
const toIso = (timeMs: number) => new Date(timeMs).toISOString()

type PastOperation = {
  daysAgo: number
  clock: string
  by: string
  request: ControlRequest
  /** This lamp did not answer. A later operation succeeds, because an open failure would be a problem of today. */
  silent?: string
}

function listOperations({ spaces, devices, scenes }: BuildingRows): PastOperation[] {
  /** Returns the space with these names from the building down. */
  const inSpace = (...names: string[]): ControlScope => {
    let spaceId: string | null = null
    for (const name of names)
      spaceId = spaces.find((row) => row.parentId === spaceId && row.name === name)!.id!
    return { kind: 'space', spaceId: spaceId! }
  }
  const onLamp = (deviceName: string): ControlScope => ({
    kind: 'devices',
    deviceIds: [devices.find((row) => row.deviceName === deviceName)!.id!],
  })
  const switchAll = (actionType: 'all_on' | 'all_off', scope: ControlScope): ControlRequest => ({
    kind: 'action',
    projectId,
    productType,
    actionType,
    scope,
  })
  const setValues = (scope: ControlScope, values: Record<string, number>): ControlRequest => ({
    kind: 'set',
    projectId,
    scope,
    values,
  })
  const runScene = (name: string): ControlRequest => ({
    kind: 'scene',
    projectId,
    sceneId: scenes.find((row) => row.name === name)!.id,
  })
  const [operator, manager] = ['wang.lei', 'li.qiang']
  return [
    { daysAgo: 3, clock: '07:52', by: operator, request: runScene('清扫') },
    {
      daysAgo: 3,
      clock: '18:46',
      by: operator,
      request: switchAll('all_off', inSpace('科创大厦 A 座', '2 层')),
      silent: 'lamp-a2-008',
    },
    {
      daysAgo: 3,
      clock: '18:49',
      by: operator,
      request: setValues(onLamp('lamp-a2-008'), { PowerSwitch: 0 }),
    },
    {
      daysAgo: 2,
      clock: '09:20',
      by: manager,
      request: setValues(inSpace('科创大厦 A 座', '1 层', '大堂'), { Brightness: 70 }),
    },
    { daysAgo: 2, clock: '13:55', by: operator, request: runScene('会议') },
    {
      daysAgo: 2,
      clock: '19:10',
      by: operator,
      request: switchAll('all_off', inSpace('科创大厦 B 座', '3 层')),
    },
    {
      daysAgo: 1,
      clock: '08:05',
      by: operator,
      request: switchAll('all_on', inSpace('科创大厦 A 座', '3 层')),
    },
    {
      daysAgo: 1,
      clock: '10:31',
      by: manager,
      request: setValues(onLamp('lamp-b1-002'), { Brightness: 40 }),
    },
    { daysAgo: 1, clock: '12:02', by: operator, request: runScene('午休') },
    {
      daysAgo: 1,
      clock: '20:15',
      by: operator,
      request: switchAll('all_off', inSpace('会议中心', '1 层')),
    },
  ]
}

/** Returns the final state of a ledger entry and its reason, as the simulated device would have caused them. */
function settle({ device }: Planned, silent: string | undefined): [LedgerState, string] {
  if (device.protected) return ['skipped', skipText.protected]
  if (behaviours[device.deviceName]?.kind === 'absent') return ['skipped', skipText.offline]
  return device.deviceName === silent ? ['timeout', '10 秒内没有应答'] : ['success', '']
}

/** The lamps were switched the other way before, and at full brightness. */
const getValuesBefore = (target: Planned['target']) =>
  Object.fromEntries(
    Object.entries(target).map(([identifier, value]) => [
      identifier,
      identifier === 'PowerSwitch' ? 1 - Number(value) : 100,
    ]),
  )

/**
 * Adds what operators controlled in the last days. The product itself plans each request, so titles, places and devices
 * are those of a real task.
 */
export async function addControls(
  tx: Db,
  building: BuildingRows,
  people: ExamplePerson[],
  nowMs: number,
  recorder: Recorder,
) {
  const today = toZonedDate(nowMs, platformTimeZone)
  for (const { daysAgo, clock, by, request, silent } of listOperations(building)) {
    const id = uuidv7()
    const startMs = toEpochMs(shiftDate(today, -daysAgo), clock, platformTimeZone)
    const [createTime, sentTime, doneTime] = [startMs, startMs + 80, startMs + 1900].map(toIso)
    const { permission } = getRequiredPermission(request)
    const { title, target, planned } = await planRequest(tx, request, permission)
    const counts = createZeroCounts()
    const entries = planned.map((one) => {
      const [state, reason] = settle(one, silent)
      counts[state]!++
      return {
        projectId,
        taskId: id,
        deviceId: one.device.id,
        state,
        reason,
        before: getValuesBefore(one.target),
        target: one.target,
        sentTime: state === 'skipped' ? null : sentTime!,
        doneTime: doneTime!,
      }
    })
    const person = people.find(({ username }) => username === by)!
    await tx.insert(controlLedger).values(entries)
    await tx.insert(task).values({
      id,
      kind: 'control',
      title,
      projectId,
      ownerId: person.id,
      createBy: by,
      status: 'done',
      counts,
      total: entries.length,
      reason: await controlQueries(tx).reasons(projectId, id, target.unit),
      detail: {
        origin: request.kind,
        sourceId: null,
        permission,
        createByName: person.name,
        held: 0,
        ...target,
      },
      listed: entries.length > 1,
      claimedBy: '',
      createTime: createTime!,
      updateTime: doneTime!,
      doneTime: doneTime!,
    })
    recorder.add('controlTask', [{ id }])
    if (request.kind !== 'scene') continue
    const run = { id: uuidv7(), projectId, sceneId: request.sceneId, createBy: by }
    await tx.insert(sceneRun).values({
      ...run,
      cause: 'manual',
      status: 'done',
      taskIds: [id],
      createTime: createTime!,
      doneTime: doneTime!,
      claimedBy: randomUUID(),
    })
    recorder.add('sceneRun', [run])
  }
}
