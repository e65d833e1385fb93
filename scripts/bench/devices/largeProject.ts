import pLimit from 'p-limit'
import type { Db } from 'server/src/core/db/db'
import { connectEdge } from 'server/src/device-access/protocol/edgeClient'
import { deviceRow } from 'server/src/device-access/testing'
import {
  edgeProduct,
  insertDeviceRows,
  insertFloors,
  lampProduct,
  getFloorPosition,
} from './building'
import {
  formatPercentiles,
  pause,
  printFigure,
  reportTimes,
  formatElapsedSeconds,
  measureInBackground,
} from './figures'
import type { Platform } from './platform'

const lampsPerFloor = 500

/**
 * Creates floors of 500 lamps behind one gateway each, and measures reading them and one control task for all lamps
 * with its ledger.
 */
export async function measureLargeProject(
  platform: Platform,
  db: Db,
  projectId: number,
  size: number,
) {
  const { call, broker } = platform
  const floors = await insertFloors(db, projectId, Math.ceil(size / lampsPerFloor))
  const hosts = floors.map((floorId, n) => {
    const location = { projectId, floorId, spaceId: floorId }
    const gateway = deviceRow(edgeProduct, `edge-${projectId}-${n}`, location)
    const children = Array.from(
      { length: Math.min(lampsPerFloor, size - n * lampsPerFloor) },
      (_, m) =>
        deviceRow(lampProduct, `lamp-${projectId}-${n}-${m}`, {
          ...getFloorPosition(floorId, m),
          projectId,
          gatewayId: gateway.id,
          name: `${n + 1}F-大堂-${m + 1}`,
          reported: { PowerSwitch: 1, Brightness: 80 },
        }),
    )
    return { gateway, children }
  })
  await insertDeviceRows(
    db,
    hosts.flatMap(({ gateway, children }) => [gateway, ...children]),
  )
  console.log(`\n${size} devices on ${floors.length} floors, behind as many gateways`)
  const connectStart = performance.now()
  const limitConnections = pLimit(4)
  const edges = await Promise.all(
    hosts.map((host) =>
      limitConnections(() =>
        connectEdge({
          url: broker,
          ...host,
          keepalive: 600,
          onSet: (_, values, { reply, post }) => (reply(200), post(values)),
        }),
      ),
    ),
  )
  printFigure('all signed in', formatElapsedSeconds(connectStart))

  const request = {
    kind: 'action',
    productType: 'SAFEWAY_LIGHT',
    actionType: 'all_off',
    projectId,
    scope: { kind: 'project' },
  }
  const projectQuery = `projectId=${projectId}`
  await reportTimes('map of a floor', (n) =>
    call('GET', `/v1/device/map/info?${projectQuery}&floorId=${floors[n % floors.length]}`),
  )
  await reportTimes('lights of all floors', () =>
    call('GET', `/v1/device/map/lights?${projectQuery}`),
  )
  await reportTimes('search of a name', () =>
    call('GET', `/v1/device/search?${projectQuery}&text=7F-大堂-123`),
  )
  await reportTimes('search of initials', () =>
    call('GET', `/v1/device/search?${projectQuery}&text=7f-dt`),
  )
  await reportTimes('preflight', () => call('POST', '/v1/control/preflight', request))

  const startTime = performance.now()
  const stopBackground = measureInBackground(() => call('GET', '/v1/device/action/mode'))
  const task = await call<{ id: string }>('POST', '/v1/control/task', request)
  printFigure('start of a task', formatElapsedSeconds(startTime))
  let firstResult = ''
  for (;;) {
    const taskState = await call<{ doneTime: string | null; counts: Record<string, number> }>(
      ...(['GET', `/v1/control/task/${task.id}`] as const),
    )
    if (!firstResult && taskState.counts.success! > 0) firstResult = formatElapsedSeconds(startTime)
    if (taskState.doneTime !== null) {
      printFigure('first result', firstResult)
      printFigure(
        'last result',
        `${formatElapsedSeconds(startTime)}, ${taskState.counts.success} succeeded`,
      )
      break
    }
    await pause(100)
  }
  printFigure('another call meanwhile', formatPercentiles(await stopBackground()))
  const readLedgerPage = (pageNo: number) => () =>
    call('GET', `/v1/control/task/${task.id}/ledger?pageSize=50&pageNo=${pageNo}`)
  await reportTimes('first page of the ledger', readLedgerPage(1))
  await reportTimes('last page of the ledger', readLedgerPage(Math.ceil(size / 50)))
  await Promise.all(edges.map((edge) => edge.close()))
}
