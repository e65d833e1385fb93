import type {
  RegistrationMode,
  RegistrationState,
  RegistrationWay,
} from '@iot/shared/contract/device/registration.schema'
import {
  boolean,
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
import { rowColumns, time } from './columns'
import { product } from './device'

/** A rule lets devices of a product register themselves in a project with the product secret. */
export const registrationRule = pgTable(
  'registration_rule',
  {
    ...rowColumns(),
    productId: uuid()
      .notNull()
      .references(() => product.id),
    /**
     * `preregistered` accepts entered serial numbers, `free` accepts every device with the secret, `gateway` accepts
     * child devices of gateways.
     */
    mode: text().$type<RegistrationMode>().notNull(),
    enabled: boolean().notNull(),
    /** A device that was not entered beforehand is assigned to this project. */
    projectId: integer().notNull(),
    nameTemplate: text().notNull().default('{deviceName}'),
    /** Networks that devices may connect from, such as 10.0.0.0/8; an empty list allows all. */
    addresses: text().array().notNull().default([]),
    expireTime: time(),
    /** The rule may create this many more devices; null means no limit. */
    quota: integer(),
    /** True if a user must approve each device first. */
    approval: boolean().notNull().default(false),
  },
  (table) => [unique('registration_rule_project').on(table.productId, table.projectId)],
)

/**
 * Secrets of products, kept apart from the columns that lists and exports read. They stay readable because an HMAC
 * needs them.
 */
export const productCredential = pgTable('product_credential', {
  productKey: text().primaryKey(),
  productSecret: text().notNull(),
})

/** Number of undecided records that were dropped to bound the table, and the time of the last drop. */
export const registrationDropped = pgTable(
  'registration_dropped',
  {
    projectId: integer().notNull(),
    productKey: text().notNull(),
    count: integer().notNull(),
    lastTime: time().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.productKey] })],
)

/** A row records a serial number that appeared, with its way, gateway and outcome; repeated attempts share one row. */
export const registrationRecord = pgTable(
  'registration_record',
  {
    id: uuid().notNull().$defaultFn(uuidv7),
    projectId: integer().notNull(),
    productKey: text().notNull(),
    deviceName: text().notNull(),
    /** The id is empty for a device that connected directly. */
    gatewayId: text().notNull().default(''),
    way: text().$type<RegistrationWay>().notNull(),
    state: text().$type<RegistrationState>().notNull(),
    reason: text().notNull().default(''),
    address: text().notNull().default(''),
    payload: jsonb().$type<unknown>(),
    count: integer().notNull().default(1),
    firstTime: time().notNull(),
    lastTime: time().notNull(),
    /** This user approved or refused the device; it is empty if only the rule decided. */
    decideBy: text().notNull().default(''),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique('registration_record_serial').on(
      table.projectId,
      table.productKey,
      table.deviceName,
      table.gatewayId,
    ),
    index('registration_record_time').on(table.projectId, table.lastTime),
  ],
)
