import type { DeviceState, Values } from '@iot/shared/contract/device'
import type { ThingModel } from '@iot/shared/contract/thingModel'
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
    /** Code of the product type, such as SAFEWAY_LIGHT. */
    productType: text().notNull(),
    node: text().$type<'direct' | 'gateway' | 'sub'>().notNull(),
    model: jsonb().$type<ThingModel>().notNull(),
    /** A gateway may register devices of this product that are known by name. */
    dynamicRegister: boolean().notNull(),
    manufacturerId: uuid().references(() => manufacturer.id),
    brandId: uuid().references(() => brand.id),
    /** What the manufacturer calls it. */
    modelNo: text().notNull().default(''),
    categoryId: uuid().references(() => productCategory.id),
    /** The version of its category it follows; 0 for none. */
    categoryVersion: integer().notNull().default(0),
    net: text().notNull().default('other'),
    protocol: text().notNull().default('mqtt'),
    /** Codes of control types. */
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
    /** The innermost space it stands in, and the floor above that. */
    spaceId: uuid(),
    floorId: uuid(),
    /** The gateway whose topology it belongs to. */
    gatewayId: uuid(),
    /** The gateway it is signed in over now. */
    via: uuid(),
    /** Emergency and exit circuits: bulk actions and scenes leave them alone. */
    protected: boolean().notNull(),
    state: text().$type<DeviceState>().notNull(),
    x: doublePrecision(),
    y: doublePrecision(),
    reported: jsonb().$type<Values>().notNull(),
    reportedTime: time(),
    /** Of when each value is, in milliseconds; by the device's own clock where it told. */
    reportedAt: jsonb().$type<Record<string, number>>().notNull().default({}),
    /** Of what is reported, what was said before the device or the platform was away, and of when it is. */
    stale: jsonb().$type<Record<string, number>>().notNull().default({}),
    desired: jsonb().$type<Values>().notNull().default({}),
    /** By identifier of what is desired, the control task that asked for it last. */
    wishes: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** Counts the writes of what is shown, so that of two answers the later is known. */
    revision: bigint({ mode: 'number' }).notNull().default(0),
    onlineTime: time(),
    address: text().notNull(),
    /** Offset of its clock in milliseconds at its last message with a time; null where the clock was right. */
    clockOffsetMs: bigint({ mode: 'number' }),
    /** Reason and time of the last dropped values, by identifier. */
    dropped: jsonb()
      .$type<Record<string, { reason: string; time: string }>>()
      .notNull()
      .default({}),
    /** It connected too often; until then it is not let in. */
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
    // An address names a device without its project.
    index('device_id').on(table.id),
    index('device_product').on(table.projectId, table.productId),
    unique('device_name').on(table.projectId, table.productId, table.deviceName),
    index('device_floor').on(table.projectId, table.floorId),
    index('device_gateway').on(table.projectId, table.gatewayId),
    index('device_via').on(table.projectId, table.via),
  ],
)

/**
 * How a connection finds its device before a project is known, and the only place of its secret: no query for rows or
 * lists can leak what it does not select. The secret stays readable because an HMAC needs it.
 */
export const deviceCredential = pgTable(
  'device_credential',
  {
    productKey: text().notNull(),
    deviceName: text().notNull(),
    deviceSecret: text().notNull(),
    /** Of a device that registered freely: the client id and password it was given instead of the secret. */
    clientId: text(),
    deviceToken: text(),
    projectId: integer().notNull(),
    deviceId: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.productKey, table.deviceName] })],
)

/** What devices report as events; append-only. */
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
 * What devices reported and when it was so; by natural key, so that what comes twice is there once. In parts by day: see
 * `device-access/historyParts`.
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
