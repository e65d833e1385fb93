import type {
  RegistrationMode,
  RegistrationState,
  RegistrationWay,
} from '@iot/shared/contract/registration'
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

/** How devices of a product register themselves in a project with the one secret of the product. */
export const registrationRule = pgTable(
  'registration_rule',
  {
    ...rowColumns(),
    productId: uuid()
      .notNull()
      .references(() => product.id),
    /** `preregistered`: serials that were entered; `free`: whoever has the secret; `gateway`: children of gateways. */
    mode: text().$type<RegistrationMode>().notNull(),
    enabled: boolean().notNull(),
    /** Where a device goes that nobody entered. */
    projectId: integer().notNull(),
    nameTemplate: text().notNull().default('{deviceName}'),
    /** Networks it may come from, as 10.0.0.0/8; none: any. */
    addresses: text().array().notNull().default([]),
    expireTime: time(),
    /** Devices it may still make; null: any number. */
    quota: integer(),
    /** A person looks at each device first. */
    approval: boolean().notNull().default(false),
  },
  (table) => [unique('registration_rule_project').on(table.productId, table.projectId)],
)

/** The secret of a product, apart from what lists and exports read; an HMAC needs it readable. */
export const productCredential = pgTable('product_credential', {
  productKey: text().primaryKey(),
  productSecret: text().notNull(),
})

/** How many records nobody had decided about were dropped to keep their number bounded, and when last. */
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

/** A serial that turned up: by which way, behind which gateway, and what became of it. One row however often. */
export const registrationRecord = pgTable(
  'registration_record',
  {
    id: uuid().notNull().$defaultFn(uuidv7),
    projectId: integer().notNull(),
    productKey: text().notNull(),
    deviceName: text().notNull(),
    /** Empty for a device that came itself. */
    gatewayId: text().notNull().default(''),
    way: text().$type<RegistrationWay>().notNull(),
    state: text().$type<RegistrationState>().notNull(),
    reason: text().notNull().default(''),
    address: text().notNull().default(''),
    payload: jsonb().$type<unknown>(),
    count: integer().notNull().default(1),
    firstTime: time().notNull(),
    lastTime: time().notNull(),
    /** Who approved or refused it; empty while only the rule did. */
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
