import { join } from 'node:path'
import type { DeviceAccessOptions } from './device-access/deviceAccess'
import type { DatabaseSource } from './plugins/db'
import type { SiteOptions } from './site/site'

export type AppOptions = DeviceAccessOptions & {
  database: DatabaseSource
  /** Of the first administrator; a generated one, to be changed at the first login, when left out. */
  adminPassword?: string
  /** No demonstration projects, no building. */
  empty?: boolean
  /** Addresses of load balancers whose X-Forwarded-For is believed. */
  trustProxy?: string
  logLevel?: string
  /** The built console; calls only when left out. */
  site?: SiteOptions
}

export type Settings = Omit<AppOptions, 'database'> & { port: number; host: string; data: string; databaseUrl?: string }

export const databaseOf = ({ databaseUrl, data }: Settings): DatabaseSource =>
  databaseUrl ? { kind: 'server', url: databaseUrl } : { kind: 'embedded', folder: join(data, 'database') }
