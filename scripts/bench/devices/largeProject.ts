import pLimit from 'p-limit'
import type { Db } from 'server/src/core/db/db'
import { connectEdge } from 'server/src/device-access/edgeClient'
import { deviceRow } from 'server/src/device-access/testing'
import { edgeProduct, insertAll, insertFloors, lampProduct, placeOn } from './building'
import { of95, pause, print, report, seconds, watchOthers } from './figures'
import type { Platform } from './platform'

const perFloor = 500

/**
 * Creates floors of 500 lamps behind one gateway each, and measures reading them and one control task for all lamps
 * with its ledger.
 */
export async function largeProject(platform: Platform, db: Db, projectId: number, size: number) {
  const { call, broker } = platform
  const floors = await insertFloors(db, projectId, Math.ceil(size / perFloor))
  const hosts = floors.map((floorId, n) => {
    const at = { projectId, floorId, spaceId: floorId }
    const gateway = deviceRow(edgeProduct, `edge-${projectId}-${n}`, at)
    const children = Array.from({ length: Math.min(perFloor, size - n * perFloor) }, (_, m) =>
      deviceRow(lampProduct, `lamp-${projectId}-${n}-${m}`, {
        ...placeOn(floorId, m),
        projectId,
        gatewayId: gateway.id,
        name: `${n + 1}F-大堂-${m + 1}`,
        reported: { PowerSwitch: 1, Brightness: 80 },
      }),
    )
    return { gateway, children }
  })
  await insertAll(
    db,
    hosts.flatMap(({ gateway, children }) => [gateway, ...children]),
  )
  console.log(`\n${size} devices on ${floors.length} floors, behind as many gateways`)
  const connecting = performance.now()
  const few = pLimit(4)
  const edges = await Promise.all(
    hosts.map((host) =>
      few(() =>
        connectEdge({
          url: broker,
          ...host,
          keepalive: 600,
          onSet: (_, values, { reply, post }) => (reply(200), post(values)),
        }),
      ),
    ),
  )
  print('all signed in', seconds(connecting))

  const request = {
    kind: 'action',
    productType: 'SAFEWAY_LIGHT',
    actionType: 'all_off',
    projectId,
    scope: { kind: 'project' },
  }
  const of = `projectId=${projectId}`
  await report('map of a floor', (n) =>
    call('GET', `/v1/device/map/info?${of}&floorId=${floors[n % floors.length]}`),
  )
  await report('lights of all floors', () => call('GET', `/v1/device/map/lights?${of}`))
  await report('search of a name', () => call('GET', `/v1/device/search?${of}&text=7F-大堂-123`))
  await report('search of initials', () => call('GET', `/v1/device/search?${of}&text=7f-dt`))
  await report('preflight', () => call('POST', '/v1/control/preflight', request))

  const started = performance.now()
  const others = watchOthers(() => call('GET', '/v1/device/action/mode'))
  const task = await call<{ id: string }>('POST', '/v1/control/task', request)
  print('start of a task', seconds(started))
  let first = ''
  for (;;) {
    const now = await call<{ doneTime: string | null; counts: Record<string, number> }>(
      ...(['GET', `/v1/control/task/${task.id}`] as const),
    )
    if (!first && now.counts.success! > 0) first = seconds(started)
    if (now.doneTime !== null) {
      print('first result', first)
      print('last result', `${seconds(started)}, ${now.counts.success} succeeded`)
      break
    }
    await pause(100)
  }
  print('another call meanwhile', of95(await others()))
  const ledger = (pageNo: number) => () =>
    call('GET', `/v1/control/task/${task.id}/ledger?pageSize=50&pageNo=${pageNo}`)
  await report('first page of the ledger', ledger(1))
  await report('last page of the ledger', ledger(Math.ceil(size / 50)))
  await Promise.all(edges.map((edge) => edge.close()))
}
