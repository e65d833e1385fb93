import mqtt from 'mqtt'
import pLimit from 'p-limit'
import { sql } from 'drizzle-orm'
import type { Db } from 'server/src/core/db/db'
import { connectOptions } from 'server/src/device-access/protocol/signature'
import { deviceRow } from 'server/src/device-access/testing'
import { buildDeviceTopic } from 'server/src/device-access/protocol/topics'
import { alarmRule } from 'server/src/tables/alarm'
import { pickSize } from '../tools/size'
import { directProduct, getFloorPosition, insertDeviceRows, insertFloors } from './building'
import { pause, printFigure } from './figures'
import type { Platform } from './platform'

const projectId = 14
const ruleCount = 50
const talkerCount = pickSize(1000, 20)
const roundMs = pickSize(30_000, 1500)
/** Rounds with and without rules alternate, so that a change of the machine's speed meets both. */
const roundPairs = pickSize(4, 1)
/** A saved rule applies in every process after this time. */
const settleMs = pickSize(5000, 500)
const valuesPerRound = 101

/**
 * Compares the CPU time of the platform without alarm rules and with 50, while 1,000 devices among many report in turn. 40 rules compare the value, and every hundredth value meets ten of them; ten wait for events or offline devices.
 */
export async function measureAlarmLoad(
  platform: Platform,
  db: Db,
  deviceCount: number,
  valuesPerSecond: number,
) {
  const floorIds = await insertFloors(db, projectId, Math.max(1, Math.ceil(deviceCount / 500)))
  const rows = Array.from({ length: deviceCount }, (_, n) =>
    deviceRow(directProduct, `alarm-${n}`, {
      projectId,
      ...getFloorPosition(floorIds[n % floorIds.length]!, Math.floor(n / floorIds.length)),
    }),
  )
  await insertDeviceRows(db, rows)
  await db.execute(sql`analyze`)
  await setStatus(db, 'disabled')
  await insertRules(db)
  console.log(
    `\n${deviceCount} devices, ${valuesPerSecond} values a second, ${ruleCount} alarm rules`,
  )
  const load = await startLoad(platform, rows.slice(0, talkerCount), valuesPerSecond)
  console.log('rules   values/s   cores   CPU ms per 1,000 values')
  const costs = { disabled: 0, enabled: 0 }
  for (let pair = 0; pair < roundPairs; pair++)
    for (const status of ['disabled', 'enabled'] as const) {
      await setStatus(db, status)
      await pause(settleMs)
      const { cpu: cpuBefore } = await platform.used()
      const [countBefore, startTime] = [load.countReplies(), performance.now()]
      await pause(roundMs)
      const cpu = (await platform.used()).cpu - cpuBefore
      const [count, seconds] = [
        load.countReplies() - countBefore,
        (performance.now() - startTime) / 1000,
      ]
      costs[status] += (cpu / count) * 1_000_000
      console.log(
        [
          (status === 'enabled' ? String(ruleCount) : '0').padStart(5),
          (count / seconds).toFixed(0).padStart(10),
          (cpu / seconds).toFixed(2).padStart(7),
          ((cpu / count) * 1_000_000).toFixed(0).padStart(12),
        ].join(' '),
      )
    }
  printFigure('CPU with rules to without', (costs.enabled / costs.disabled).toFixed(2))
  await load.stop()
}

const setStatus = (db: Db, status: 'enabled' | 'disabled') =>
  db.update(alarmRule).set({ status, version: sql`version + 1` })

const insertRules = (db: Db) =>
  db.insert(alarmRule).values(
    Array.from({ length: ruleCount }, (_, n) => ({
      createBy: 'bench',
      updateBy: 'bench',
      projectId,
      name: `规则 ${n}`,
      severity: 'minor' as const,
      productId: directProduct.id,
      forMinutes: 10,
      recoverMinutes: 0,
      status: 'disabled' as const,
      source:
        n < 40
          ? {
              kind: 'threshold' as const,
              identifier: 'Brightness',
              operator: 'gt' as const,
              value: n < 10 ? 99 : 100,
              recoverValue: null,
            }
          : n < 45
            ? { kind: 'offline' as const, target: 'all' as const }
            : { kind: 'event' as const, types: ['error' as const], identifier: '' },
    })),
  )

/** Lets the devices report in turn, each over its own connection, until it is stopped. */
async function startLoad(
  platform: Platform,
  rows: ReturnType<typeof deviceRow>[],
  valuesPerSecond: number,
) {
  const topic = 'thing/event/property/post'
  let replyCount = 0
  const limitConnections = pLimit(20)
  const clients = await Promise.all(
    rows.map((row) =>
      limitConnections(async () => {
        const client = await mqtt.connectAsync(platform.broker, {
          ...connectOptions(row),
          keepalive: 120,
        })
        await client.subscribeAsync(buildDeviceTopic(row, `${topic}_reply`))
        client.on('message', () => replyCount++)
        return client
      }),
    ),
  )
  const startTime = performance.now()
  let sentCount = 0
  const timer = setInterval(() => {
    const dueCount = ((performance.now() - startTime) / 1000) * valuesPerSecond
    for (; sentCount < dueCount; sentCount++) {
      const row = rows[sentCount % rows.length]!
      // The step between two values of a device is a prime below the number of values, so that all of them occur.
      const value = (sentCount + Math.floor(sentCount / rows.length) * 37) % valuesPerRound
      const message = {
        id: String(sentCount + 1),
        version: '1.0',
        params: { Brightness: value },
        method: 'thing.event.property.post',
      }
      clients[sentCount % rows.length]!.publish(
        buildDeviceTopic(row, topic),
        JSON.stringify(message),
      )
    }
  }, 20)
  return {
    countReplies: () => replyCount,
    async stop() {
      clearInterval(timer)
      await pause(1000)
      await Promise.all(clients.map((client) => client.endAsync(true)))
    },
  }
}
