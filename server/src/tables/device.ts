import type { DeviceState, Values } from '@iot/shared/contract/device/device.schema'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { uuidv7 } from 'uuidv7'
import { brand } from './brand'
import { productCategory } from './category'
import { now, rowColumns, time } from './columns'
import { manufacturer } from './manufacturer'

export const product = pgTable(
  'product',
  {
    ...rowColumns(),
    productKey: text().notNull().unique(),
    name: text().notNull(),
    /** The value is the code of a product type, such as SAFEWAY_LIGHT. */
    productType: text().notNull(),
    node: text().$type<'direct' | 'gateway' | 'sub'>().notNull(),
    model: jsonb().$type<ThingModel>().notNull(),
    /** A gateway may register devices of this product that are known by name. */
    dynamicRegister: boolean().notNull(),
    manufacturerId: uuid().references(() => manufacturer.id),
    brandId: uuid().references(() => brand.id),
    /** The manufacturer assigns the model number. */
    modelNo: text().notNull().default(''),
    categoryId: uuid().references(() => productCategory.id),
    /** The product follows this version of its category's thing model; 0 means none. */
    categoryVersion: integer().notNull().default(0),
    net: text().notNull().default('other'),
    protocol: text().notNull().default('mqtt'),
    /** The entries are codes of control types. */
    controlTypes: text().array().notNull().default([]),
    authType: text().$type<'deviceSecret' | 'productSecret'>().notNull().default('deviceSecret'),
    dataFormat: text().$type<'alink' | 'custom'>().notNull().default('alink'),
    ratedPower: doublePrecision(),
    ratedLifeHours: integer(),
    icon: text().notNull().default(''),
    picture: text().notNull().default(''),
    description: text().notNull().default(''),
    status: text().$type<'developing' | 'published' | 'disabled'>().notNull().default('developing'),
  },
  (table) => [
    unique('product_model').on(table.manufacturerId, table.modelNo),
    index('product_category_id').on(table.categoryId),
  ],
)

export const device = pgTable(
  'device',
  {
    id: uuid().notNull().$defaultFn(uuidv7),
    projectId: integer().notNull(),
    productId: uuid()
      .notNull()
      .references(() => product.id),
    name: text().notNull(),
    deviceName: text().notNull(),
    /** `spaceId` is the innermost space that contains the device, `floorId` the floor of that space. */
    spaceId: uuid(),
    floorId: uuid(),
    /** The device belongs to the topology of this gateway. */
    gatewayId: uuid(),
    /** The device is currently connected through this gateway. */
    via: uuid(),
    /** A protected circuit (emergency and exit lighting) is skipped by bulk actions and scenes. */
    protected: boolean().notNull(),
    state: text().$type<DeviceState>().notNull(),
    x: doublePrecision(),
    y: doublePrecision(),
    reported: jsonb().$type<Values>().notNull(),
    reportedTime: time(),
    /** The time of each reported value is in milliseconds, by the device's own clock if it sent one. */
    reportedAt: jsonb().$type<Record<string, number>>().notNull().default({}),
    /**
     * These reported values are stale, because they were reported before the device or the platform was offline; the
     * numbers are their times.
     */
    stale: jsonb().$type<Record<string, number>>().notNull().default({}),
    desired: jsonb().$type<Values>().notNull().default({}),
    /** Each identifier of a desired value maps to the control task that last requested it. */
    wishes: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** Counts the writes of displayed columns, so that the later of two answers is known. */
    revision: bigint({ mode: 'number' }).notNull().default(0),
    onlineTime: time(),
    address: text().notNull(),
    /**
     * The device's clock was wrong by this many milliseconds when it last sent a time; null means that it was right.
     */
    clockOffsetMs: bigint({ mode: 'number' }),
    /** Each identifier maps to the last dropped value's reason and time. */
    dropped: jsonb()
      .$type<Record<string, { reason: string; time: string }>>()
      .notNull()
      .default({}),
    /** Connection throttle: a device that connected too often is refused until this time. */
    slowedUntil: time(),
    createBy: text().notNull().default(''),
    createTime: time().notNull().$defaultFn(now),
    updateBy: text().notNull().default(''),
    updateTime: time()
      .notNull()
      .default(sql`now()`),
    version: integer().notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    // This index is needed because some addresses name a device without its project.
    index('device_id').on(table.id),
    index('device_product').on(table.projectId, table.productId),
    unique('device_name').on(table.projectId, table.productId, table.deviceName),
    index('device_floor').on(table.projectId, table.floorId),
    index('device_gateway').on(table.projectId, table.gatewayId),
    index('device_via').on(table.projectId, table.via),
  ],
)

/**
 * Credentials with which a connection finds its device before a project is known. The secret is stored only here, so
 * queries for rows and lists cannot leak it. It stays readable because an HMAC needs it.
 */
export const deviceCredential = pgTable(
  'device_credential',
  {
    productKey: text().notNull(),
    deviceName: text().notNull(),
    deviceSecret: text().notNull(),
    /** A freely registered device got this client id and password instead of the secret. */
    clientId: text(),
    deviceToken: text(),
    projectId: integer().notNull(),
    deviceId: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.productKey, table.deviceName] })],
)

/** Events that devices reported; rows are never updated. */
export const deviceEvent = pgTable(
  'device_event',
  {
    id: uuid().notNull().$defaultFn(uuidv7),
    projectId: integer().notNull(),
    deviceId: uuid().notNull(),
    identifier: text().notNull(),
    type: text().notNull(),
    params: jsonb().$type<Record<string, unknown>>().notNull(),
    time: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('device_event_time').on(table.projectId, table.time),
    index('device_event_device').on(table.projectId, table.deviceId, table.time),
  ],
)

/**
 * Reported values with their times. The natural key drops duplicates. The table is partitioned by day; see
 * `device-access/history/historyPartitions`.
 */
export const propertyHistory = pgTable(
  'property_history',
  {
    projectId: integer().notNull(),
    deviceId: uuid().notNull(),
    identifier: text().notNull(),
    time: time().notNull(),
    value: jsonb().$type<Values[string]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.deviceId, table.identifier, table.time] }),
  ],
)
