import type { LedgerState } from '@iot/shared/contract/control/control.schema'
import type { Values } from '@iot/shared/contract/device/device.schema'
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
import type { GatewayRoute } from './control'
import { device, product } from './device'

export const deviceColumns = () => ({ projectId: integer().notNull(), deviceId: uuid().notNull() })
/** Creates a foreign key with which rows are deleted together with their device. */
export const deviceForeignKey = (
  name: string,
  { projectId, deviceId }: Record<'projectId' | 'deviceId', AnyPgColumn>,
) =>
  foreignKey({
    name,
    columns: [projectId, deviceId],
    foreignColumns: [device.projectId, device.id],
  }).onDelete('cascade')

/** Tags are static facts that a device reports about itself, such as maker, model and place. */
export const deviceTag = pgTable(
  'device_tag',
  { ...deviceColumns(), key: text().notNull(), value: text().notNull(), time: time().notNull() },
  (table) => [
    primaryKey({ columns: [table.projectId, table.deviceId, table.key] }),
    deviceForeignKey('device_tag_device', table),
  ],
)

/** The table holds the firmware of a device per module, and the progress of an update. */
export const deviceFirmware = pgTable(
  'device_firmware',
  {
    ...deviceColumns(),
    /** `default` is the firmware of the device itself. */
    module: text().notNull(),
    version: text().notNull().default(''),
    /**
     * Progress in percent; -1 to -4 are Alibaba's codes for a failed update, download, verification and installation.
     */
    step: integer(),
    description: text().notNull().default(''),
    time: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.deviceId, table.module] }),
    deviceForeignKey('device_firmware_device', table),
  ],
)

export type ShadowState = { reported: Record<string, unknown>; desired: Record<string, unknown> }

/** A document that a device stores on the platform and reads again when it reconnects. */
export const deviceShadow = pgTable(
  'device_shadow',
  {
    ...deviceColumns(),
    state: jsonb().$type<ShadowState>().notNull(),
    /** Time of the last change of each field, in seconds since 1970. */
    metadata: jsonb()
      .$type<Record<keyof ShadowState, Record<string, { timestamp: number }>>>()
      .notNull(),
    /** The device sets the version; SDKs use milliseconds since 1970. */
    version: bigint({ mode: 'number' }).notNull(),
    time: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.deviceId] }),
    deviceForeignKey('device_shadow_device', table),
  ],
)

/** The table keeps the most recent messages, up to 200 per device and direction, for one day. */
export const deviceMessage = pgTable(
  'device_message',
  {
    id: uuid().notNull().$defaultFn(uuidv7),
    ...deviceColumns(),
    direction: text().$type<'up' | 'down'>().notNull(),
    topic: text().notNull(),
    /** The payload is stored as text; one that is no text is stored in hexadecimal after 0x. */
    payload: text().notNull(),
    time: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('device_message_device').on(table.projectId, table.deviceId, table.direction, table.id),
    index('device_message_time').on(table.time),
  ],
)

/** The table keeps the last 100 services per device that users called, including restarts. */
export const deviceCall = pgTable(
  'device_call',
  {
    id: id(),
    ...deviceColumns(),
    identifier: text().notNull(),
    title: text().notNull(),
    params: jsonb().$type<Values>().notNull(),
    state: text()
      .$type<Extract<LedgerState, 'sent' | 'success' | 'failed' | 'timeout' | 'unknown'>>()
      .notNull(),
    reason: text().notNull(),
    /** The output of the service is JSON text, which is shortened if it is long. */
    output: text().notNull().default(''),
    route: jsonb().$type<GatewayRoute>().notNull(),
    createBy: text().notNull(),
    createTime: time().notNull(),
    doneTime: time(),
  },
  (table) => [
    deviceForeignKey('device_call_device', table),
    index('device_call_newest').on(table.projectId, table.deviceId, table.id),
  ],
)

/** Devices of a product download this configuration. */
export const productConfig = pgTable('product_config', {
  ...rowColumns(),
  productId: uuid()
    .notNull()
    .unique()
    .references(() => product.id),
  enabled: boolean().notNull(),
  content: text().notNull(),
})

/** The table adds to an edge gateway's device row its expected heartbeat and its target configuration. */
export const edgeHost = pgTable(
  'edge_host',
  {
    ...deviceColumns(),
    /** The gateway should send a heartbeat at this interval in seconds. */
    heartbeatInterval: integer().notNull().default(60),
    content: text().notNull().default(''),
    /** The version number counts the contents; 0 means that there is none. */
    configVersion: integer().notNull().default(0),
    configBy: text().notNull().default(''),
    configTime: time(),
    pushTime: time(),
    /** The text tells why the last push failed, and is empty if the gateway accepted it. */
    pushFailure: text().notNull().default(''),
    /** This gateway has taken over the child devices. */
    replacedBy: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.deviceId] }),
    deviceForeignKey('edge_host_device', table),
  ],
)
