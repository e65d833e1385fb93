import { join } from 'node:path'
import type { DeviceAccessOptions } from './device-access/deviceAccess'
import type { DatabaseSource } from './plugins/db'

export type AppOptions = DeviceAccessOptions & {
  database: DatabaseSource
  /** Of the first administrator; a generated one, to be changed at the first login, when left out. */
  adminPassword?: string
  /** No demonstration projects, no building. */
  empty?: boolean
  /** Addresses of load balancers whose X-Forwarded-For is believed. */
  trustProxy?: string
  logLevel?: string
}

export type Settings = Omit<AppOptions, 'database'> & { port: number; host: string; mqttPort: number; data: string; databaseUrl?: string; mqttUrl?: string }

export const databaseOf = ({ databaseUrl, data }: Settings): DatabaseSource =>
  databaseUrl ? { kind: 'server', url: databaseUrl } : { kind: 'embedded', folder: join(data, 'database') }
