import { integer, pgTable, text } from 'drizzle-orm/pg-core'

/**
 * Ingest partitions with the client id of their MQTT session. Its random part keeps two platforms on one broker from
 * disconnecting each other.
 */
export const ingestPartition = pgTable('ingest_partition', {
  number: integer().primaryKey(),
  clientId: text().notNull(),
})

/** Assigns products to ingest partitions where there is more than one. */
export const ingestProduct = pgTable('ingest_product', {
  productKey: text().primaryKey(),
  partition: integer().notNull(),
})
