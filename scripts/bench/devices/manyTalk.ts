import mqtt from 'mqtt'
import pLimit from 'p-limit'
import type { Db } from 'server/src/core/db/db'
import { connectOptions } from 'server/src/device-access/signature'
import { deviceRow } from 'server/src/device-access/testing'
import { topicOf } from 'server/src/device-access/topics'
import { directProduct, insertAll, insertFloors, placeOn } from './building'
import { of95, pause, print, watchOthers, within } from './figures'
import { openPage } from './openPage'
import type { Platform } from './platform'

const talking = 2500
const pages = 20
const projectId = 13
const post = 'thing/event/property/post'

/**
 * Lets 2,500 devices, each with its own connection, report once a minute while 20 pages watch one floor each. It
 * measures the time until the device has its reply and the page has the value, the time of other calls, and the
 * memory per minute.
 */
export async function manyTalk(platform: Platform, db: Db, minutes: number) {
  const floors = await insertFloors(db, projectId, pages)
  const rows = Array.from({ length: talking }, (_, n) =>
    deviceRow(directProduct, `talker-${n}`, {
      projectId,
      ...placeOn(floors[n % pages]!, Math.floor(n / pages)),
    }),
  )
  await insertAll(db, rows)
  console.log(`\n${talking} devices once a minute, ${pages} pages, ${minutes} minutes`)

  const sent = new Map<string, { value: number; at: number }>()
  const shown: number[] = []
  const asked = new Map<string, number>()
  const replied: number[] = []
  let overtaken = 0
  let refused = 0

  const several = pLimit(20)
  const clients = await Promise.all(
    rows.map((row) =>
      several(async () => {
        const options = { ...connectOptions(row), keepalive: 120 }
        const client = await mqtt.connectAsync(platform.broker, options)
        await client.subscribeAsync(topicOf(row, `${post}_reply`))
        client.on('message', (_, payload) => {
          const { id, code } = JSON.parse(String(payload)) as { id: string; code: number }
          replied.push(performance.now() - asked.get(id)!)
          asked.delete(id)
          if (code !== 200) refused++
        })
        return client
      }),
    ),
  )
  const sockets = await Promise.all(
    floors.map((floorId) =>
      openPage(platform, projectId, floorId, (message) => {
        if (message.type !== 'states') return
        for (const { id, reported } of message.devices) {
          const last = sent.get(id)
          if (last?.value !== reported.Brightness) continue
          sent.delete(id)
          shown.push(performance.now() - last!.at)
        }
      }),
    ),
  )

  let turn = 0
  const timer = setInterval(() => {
    const n = turn % talking
    const row = rows[n]!
    const value = Math.floor(turn++ / talking) % 101
    const id = String(turn)
    if (sent.has(row.id)) overtaken++
    const at = performance.now()
    sent.set(row.id, { value, at })
    asked.set(id, at)
    const params = { Brightness: value, PowerSwitch: value % 2 }
    const message = { id, version: '1.0', params, method: 'thing.event.property.post' }
    clients[n]!.publish(topicOf(row, post), JSON.stringify(message))
  }, 60_000 / talking)
  const others = watchOthers(
    () =>
      platform.call(
        'GET',
        `/v1/device/map/info?projectId=${projectId}&floorId=${floors[turn % pages]}`,
      ),
    1000,
  )

  console.log('minute  reports   p50   p95   cores  memory    heap outside   (ms; MB, the least)')
  let from = 0
  let before = (await platform.used()).cpu
  for (let minute = 1; minute <= minutes; minute++) {
    const least = { all: Infinity, heap: Infinity, outside: Infinity }
    const began = performance.now()
    let cpu = before
    for (let n = 0; n < 12; n++) {
      await pause(5000)
      const now = await platform.used()
      for (const key of ['all', 'heap', 'outside'] as const)
        least[key] = Math.min(least[key], now[key])
      cpu = now.cpu
    }
    const times = shown.slice(from)
    from = shown.length
    const cores = (cpu - before) / ((performance.now() - began) / 1000)
    before = cpu
    const column = (figure: number, width: number, digits = 0) =>
      figure.toFixed(digits).padStart(width)
    console.log(
      column(minute, 6) +
        column(times.length, 9) +
        column(within(0.5, times), 6) +
        column(within(0.95, times), 6) +
        column(cores, 8, 2) +
        [least.all, least.heap, least.outside].map((mb) => column(mb, 8)).join(''),
    )
  }
  clearInterval(timer)
  await pause(2000)
  print('from device to page', of95(shown))
  print('', `${shown.length} shown, ${overtaken + sent.size} not`)
  print('until its reply', of95(replied))
  print('', `${replied.length} replies, ${refused} refused, ${asked.size} not replied to`)
  print('map of a floor meanwhile', of95(await others()))
  for (const socket of sockets) socket.terminate()
  await Promise.all(clients.map((client) => client.endAsync(true)))
}
