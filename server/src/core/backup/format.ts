import { createHash } from 'node:crypto'
import { z } from 'zod'

/** A backup with a higher number is refused; the number changes when an older program could misread one. */
export const formatVersion = 1

/**
 * First part of an archive: what a program must know before it reads the rest. An archive is a gzipped tar, which the
 * tools of any system open; an encrypted one is the same bytes in the frame of `encryption.ts`.
 */
export const BackupHeader = z.object({
  product: z.literal('iot-console'),
  formatVersion: z.number().int(),
  productVersion: z.string(),
  /** Executed statements per migration, so that a restore stops at the same schema before it copies. */
  migrations: z.array(
    z.object({ name: z.string(), statements: z.number().int(), version: z.string().nullable() }),
  ),
  createTime: z.iso.datetime(),
  postgresVersion: z.string(),
  /** Tables that rows refer to come first. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** Moments of the UTC days with history, whose partitions must exist before their rows. */
  historyDays: z.array(z.number()),
})
export type BackupHeader = z.infer<typeof BackupHeader>

/** Last part of an archive; an archive without one is incomplete. */
export const BackupManifest = z.object({
  parts: z.array(z.object({ name: z.string(), bytes: z.number().int(), sha256: z.string() })),
  /** Rows per table. */
  rows: z.record(z.string(), z.number().int()),
})
export type BackupManifest = z.infer<typeof BackupManifest>
export type BackupPart = BackupManifest['parts'][number]

export const describePart = (name: string, content: Buffer): BackupPart => ({
  name,
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
})

export const headerName = 'header.json'
export const manifestName = 'manifest.json'
export const formatTablePart = (table: string, index: number) =>
  `database/${table}/${String(index).padStart(6, '0')}.copy`
export const tablePartPattern = /^database\/([a-z_0-9]+)\/\d{6,}\.copy$/
export const sitePrefix = 'site/'

/**
 * Rows of these tables mean something to running processes only, so their content is not part of a backup: after a
 * restore all users sign in again, and the processes acquire their leases again.
 */
export const transientTables = ['session', 'lease']

/** The reason that a file cannot be used, for the operator. */
export class BackupRefusal extends Error {}
