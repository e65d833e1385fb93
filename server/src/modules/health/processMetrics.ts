import { statfs } from 'node:fs/promises'
import { refusalReasonText } from '@iot/shared/contract/device/connectionRefusal'
import type { RefusalReason } from '@iot/shared/contract/device/connectionRefusal.schema'
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'
import { countPendingRows } from '../../core/db/writeBehind'
import { productVersion } from '../../core/version'

/**
 * Adds the metrics that need no query, so that they also answer while the database is away: pool, buffers, disk, broker
 * connection, refused sign-ins and devices.
 */
export function addProcessMetrics(app: FastifyInstance, registry: Registry) {
  const registers = [registry]
  new Gauge({
    name: 'iot_build_info',
    help: 'Always 1; the label names the version of this process',
    labelNames: ['version'],
    registers,
  }).set({ version: productVersion }, 1)
  addPoolMetrics(app, registers)
  addQueueMetrics(app, registers)
  addDiskMetrics(app, registers)
  addRefusalMetrics(app, registers)
  if (app.devices.broker() !== 'none')
    new Gauge({
      name: 'iot_broker_connected',
      help: '1 if this process is connected to the MQTT broker; absent without device access',
      registers,
      collect() {
        this.set(app.devices.broker() === 'connected' ? 1 : 0)
      },
    })
}

function addPoolMetrics({ database }: FastifyInstance, registers: Registry[]) {
  new Gauge({
    name: 'iot_database_pool_connections',
    help: 'Open database connections of this process by use',
    labelNames: ['state'],
    registers,
    collect() {
      const { used, idle } = database.poolFigures()
      this.set({ state: 'used' }, used)
      this.set({ state: 'idle' }, idle)
    },
  })
  new Gauge({
    name: 'iot_database_pool_waiting',
    help: 'Callers that wait for a database connection',
    registers,
    collect() {
      this.set(database.poolFigures().waiting)
    },
  })
}

function addQueueMetrics({ control }: FastifyInstance, registers: Registry[]) {
  new Gauge({
    name: 'iot_buffered_rows',
    help: 'Rows in memory that are not written to the database yet, by buffer',
    labelNames: ['buffer'],
    registers,
    collect() {
      this.reset()
      for (const [buffer, count] of countPendingRows()) this.set({ buffer }, count)
    },
  })
  new Gauge({
    name: 'iot_control_entries_open',
    help: 'Commands of control tasks in this process that have no outcome yet',
    registers,
    collect() {
      this.set(control.engine.countOpenEntries())
    },
  })
}

function addDiskMetrics({ settings }: FastifyInstance, registers: Registry[]) {
  const folder = settings.data
  if (folder === undefined) return
  const addDiskGauge = (
    name: string,
    help: string,
    getBlocks: (disk: { blocks: number; bavail: number }) => number,
  ) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const disk = await statfs(folder).catch(() => undefined)
        if (disk) this.set(getBlocks(disk) * disk.bsize)
        else this.remove()
      },
    })
  addDiskGauge(
    'iot_disk_free_bytes',
    'Free bytes of the disk with the data folder',
    ({ bavail }) => bavail,
  )
  addDiskGauge(
    'iot_disk_size_bytes',
    'Size of the disk with the data folder in bytes',
    ({ blocks }) => blocks,
  )
}

function addRefusalMetrics({ loginFailures, devices }: FastifyInstance, registers: Registry[]) {
  new Counter({
    name: 'iot_login_failures_total',
    help: 'Sign-ins that this process refused',
    registers,
    collect() {
      this.reset()
      this.inc(loginFailures.count)
    },
  })
  new Counter({
    name: 'iot_device_refusals_total',
    help: 'Connections and registrations of devices that this process refused, by reason',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset()
      // A rate needs a value before the first refusal.
      for (const reason of Object.keys(refusalReasonText) as RefusalReason[])
        this.inc({ reason }, devices.refusals.counts.get(reason) ?? 0)
    },
  })
}
