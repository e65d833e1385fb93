import type { RefusalReason } from '@iot/shared/contract/device/connectionRefusal.schema'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, time } from './columns'

/** Refused connections, coalesced by `kind`: claimed name, source and reason. The claimed name is unverified. */
export const connectionRefusal = pgTable(
  'connection_refusal',
  {
    id: id(),
    kind: text().notNull().unique(),
    /**
     * Project and id of the registered device, or null. They are no foreign key, because the record must outlive the
     * device.
     */
    projectId: integer(),
    deviceId: uuid(),
    productKey: text().notNull(),
    deviceName: text().notNull(),
    clientId: text().notNull(),
    address: text().notNull(),
    reason: text().$type<RefusalReason>().notNull(),
    count: integer().notNull(),
    firstTime: time().notNull(),
    lastTime: time().notNull(),
  },
  (table) => [
    index('connection_refusal_last').on(table.lastTime),
    index('connection_refusal_device').on(table.deviceId, table.lastTime),
    index('connection_refusal_product').on(table.productKey, table.lastTime),
  ],
)
