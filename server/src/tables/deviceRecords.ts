import type { LedgerState } from '@iot/shared/contract/control'
import type { Values } from '@iot/shared/contract/device'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { uuidv7 } from 'uuidv7'
import { id, rowColumns, time } from './columns'
import type { Route } from './control'
import { device, product } from './device'

export const ofDevice = () => ({ projectId: integer().notNull(), deviceId: uuid().notNull() })
/** Gone with its device. */
export const belongs = (
  name: string,
  { projectId, deviceId }: Record<'projectId' | 'deviceId', AnyPgColumn>,
) =>
  foreignKey({
    name,
    columns: [projectId, deviceId],
    foreignColumns: [device.projectId, device.id],
  }).onDelete('cascade')

/** What a device says of itself once and for all: maker, model, place. */
export const deviceTag = pgTable(
  'device_tag',
  { ...ofDevice(), key: text().notNull(), value: text().notNull(), time: time().notNull() },
  (table) => [
    primaryKey({ columns: [table.projectId, table.deviceId, table.key] }),
    belongs('device_tag_device', table),
  ],
)

/** What runs on a device, module by module, and how far an update has come. */
export const deviceFirmware = pgTable(
  'device_firmware',
  {
    ...ofDevice(),
    /** `default` is the device's own firmware. */
    module: text().notNull(),
    version: text().notNull().default(''),
    /** Percent; -1 to -4 are Alibaba's failures of update, download, check and installation. */
    step: integer(),
    description: text().notNull().default(''),
    time: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.deviceId, table.module] }),
    belongs('device_firmware_device', table),
  ],
)

export type ShadowState = { reported: Record<string, unknown>; desired: Record<string, unknown> }

/** A document a device keeps here, and reads again when it comes back. */
export const deviceShadow = pgTable(
  'device_shadow',
  {
    ...ofDevice(),
    state: jsonb().$type<ShadowState>().notNull(),
    /** By the same names, seconds since 1970 of the last change. */
    metadata: jsonb()
      .$type<Record<keyof ShadowState, Record<string, { timestamp: number }>>>()
      .notNull(),
    /** The device counts it, by SDK as milliseconds. */
    version: bigint({ mode: 'number' }).notNull(),
    time: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.deviceId] }),
    belongs('device_shadow_device', table),
  ],
)

/** The last messages up and down: 200 of each device each way, a day long. */
export const deviceMessage = pgTable(
  'device_message',
  {
    id: uuid().notNull().$defaultFn(uuidv7),
    ...ofDevice(),
    direction: text().$type<'up' | 'down'>().notNull(),
    topic: text().notNull(),
    /** As text; what is no text in hexadecimal behind 0x. */
    payload: text().notNull(),
    time: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('device_message_device').on(table.projectId, table.deviceId, table.direction, table.id),
    index('device_message_time').on(table.time),
  ],
)

/** Services that were called by hand, a restart among them: the last 100 of each device. */
export const deviceCall = pgTable(
  'device_call',
  {
    id: id(),
    ...ofDevice(),
    identifier: text().notNull(),
    title: text().notNull(),
    params: jsonb().$type<Values>().notNull(),
    state: text()
      .$type<Extract<LedgerState, 'sent' | 'success' | 'failed' | 'timeout' | 'unknown'>>()
      .notNull(),
    reason: text().notNull(),
    /** What it brought, as JSON text, which is cut where it is long. */
    output: text().notNull().default(''),
    route: jsonb().$type<Route>().notNull(),
    createBy: text().notNull(),
    createTime: time().notNull(),
    doneTime: time(),
  },
  (table) => [
    belongs('device_call_device', table),
    index('device_call_newest').on(table.projectId, table.deviceId, table.id),
  ],
)

/** What devices of a product fetch as their configuration. */
export const productConfig = pgTable('product_config', {
  ...rowColumns(),
  productId: uuid()
    .notNull()
    .unique()
    .references(() => product.id),
  enabled: boolean().notNull(),
  content: text().notNull(),
})

/** What a gateway is beside a device: what is expected of it, and the configuration it is to have. */
export const edgeHost = pgTable(
  'edge_host',
  {
    ...ofDevice(),
    /** Seconds between two reports of its own. */
    heartbeatInterval: integer().notNull().default(60),
    content: text().notNull().default(''),
    /** Counts the contents; 0 while there is none. */
    configVersion: integer().notNull().default(0),
    configBy: text().notNull().default(''),
    configTime: time(),
    pushTime: time(),
    /** Why the last push came to nothing; empty where the host took it. */
    pushFailure: text().notNull().default(''),
    /** The host that has its children now. */
    replacedBy: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.deviceId] }),
    belongs('edge_host_device', table),
  ],
)
