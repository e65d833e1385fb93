import mqtt from 'mqtt'
import pLimit from 'p-limit'
import type { Db } from 'server/src/core/db/db'
import { connectOptions } from 'server/src/device-access/protocol/signature'
import { deviceRow } from 'server/src/device-access/testing'
import { buildDeviceTopic } from 'server/src/device-access/protocol/topics'
import { directProduct, insertDeviceRows, insertFloors, getFloorPosition } from './building'
import {
  formatPercentiles,
  pause,
  printFigure,
  measureInBackground,
  getPercentile,
} from './figures'
import { openPage } from './openPage'
import type { Platform } from './platform'
import { pickSize } from '../tools/size'

const deviceCount = pickSize(2500, 40)
const pageCount = pickSize(20, 2)
const minuteMs = pickSize(60_000, 1000)
const samplesPerMinute = 12
const projectId = 13
const postTopic = 'thing/event/property/post'

/**
 * Lets 2,500 devices, each with its own connection, report once a minute while 20 pages watch one floor each. It
 * measures the time until the device has its reply and the page has the value, the time of other calls, and the
 * memory per minute.
 */
export async function measureReportingLoad(platform: Platform, db: Db, minutes: number) {
  const floors = await insertFloors(db, projectId, pageCount)
  const rows = Array.from({ length: deviceCount }, (_, n) =>
    deviceRow(directProduct, `talker-${n}`, {
      projectId,
      ...getFloorPosition(floors[n % pageCount]!, Math.floor(n / pageCount)),
    }),
  )
  await insertDeviceRows(db, rows)
  console.log(`\n${deviceCount} devices once a minute, ${pageCount} pages, ${minutes} minutes`)

  const pendingReports = new Map<string, { value: number; at: number }>()
  const displayTimes: number[] = []
  const requestTimes = new Map<string, number>()
  const replyTimes: number[] = []
  let overtakenCount = 0
  let refusalCount = 0

  const limitConnections = pLimit(20)
  const clients = await Promise.all(
    rows.map((row) =>
      limitConnections(async () => {
        const options = { ...connectOptions(row), keepalive: 120 }
        const client = await mqtt.connectAsync(platform.broker, options)
        await client.subscribeAsync(buildDeviceTopic(row, `${postTopic}_reply`))
        client.on('message', (_, payload) => {
          const { id, code } = JSON.parse(String(payload)) as { id: string; code: number }
          replyTimes.push(performance.now() - requestTimes.get(id)!)
          requestTimes.delete(id)
          if (code !== 200) refusalCount++
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
          const last = pendingReports.get(id)
          if (last === undefined || last.value !== reported.Brightness) continue
          pendingReports.delete(id)
          displayTimes.push(performance.now() - last.at)
        }
      }),
    ),
  )

  let reportIndex = 0
  const timer = setInterval(() => {
    const n = reportIndex % deviceCount
    const row = rows[n]!
    const value = Math.floor(reportIndex++ / deviceCount) % 101
    const id = String(reportIndex)
    if (pendingReports.has(row.id)) overtakenCount++
    const sentAt = performance.now()
    pendingReports.set(row.id, { value, at: sentAt })
    requestTimes.set(id, sentAt)
    const params = { Brightness: value, PowerSwitch: value % 2 }
    const message = { id, version: '1.0', params, method: 'thing.event.property.post' }
    clients[n]!.publish(buildDeviceTopic(row, postTopic), JSON.stringify(message))
  }, minuteMs / deviceCount)
  const stopBackground = measureInBackground(
    () =>
      platform.call(
        'GET',
        `/v1/device/map/info?projectId=${projectId}&floorId=${floors[reportIndex % pageCount]}`,
      ),
    1000,
  )

  console.log('minute  reports   p50   p95   cores  memory    heap outside   (ms; MB, the least)')
  let firstIndex = 0
  let cpuBefore = (await platform.used()).cpu
  for (let minute = 1; minute <= minutes; minute++) {
    const minima = { all: Infinity, heap: Infinity, outside: Infinity }
    const startTime = performance.now()
    let cpu = cpuBefore
    for (let n = 0; n < samplesPerMinute; n++) {
      await pause(minuteMs / samplesPerMinute)
      const now = await platform.used()
      for (const key of ['all', 'heap', 'outside'] as const)
        minima[key] = Math.min(minima[key], now[key])
      cpu = now.cpu
    }
    const times = displayTimes.slice(firstIndex)
    firstIndex = displayTimes.length
    const cores = (cpu - cpuBefore) / ((performance.now() - startTime) / 1000)
    cpuBefore = cpu
    const formatColumn = (figure: number, width: number, digits = 0) =>
      figure.toFixed(digits).padStart(width)
    console.log(
      formatColumn(minute, 6) +
        formatColumn(times.length, 9) +
        formatColumn(getPercentile(0.5, times), 6) +
        formatColumn(getPercentile(0.95, times), 6) +
        formatColumn(cores, 8, 2) +
        [minima.all, minima.heap, minima.outside].map((mb) => formatColumn(mb, 8)).join(''),
    )
  }
  clearInterval(timer)
  await pause(2000)
  printFigure('from device to page', formatPercentiles(displayTimes))
  printFigure('', `${displayTimes.length} shown, ${overtakenCount + pendingReports.size} not`)
  printFigure('until its reply', formatPercentiles(replyTimes))
  printFigure(
    '',
    `${replyTimes.length} replies, ${refusalCount} refused, ${requestTimes.size} not replied to`,
  )
  printFigure('map of a floor meanwhile', formatPercentiles(await stopBackground()))
  for (const socket of sockets) socket.terminate()
  await Promise.all(clients.map((client) => client.endAsync(true)))
}
