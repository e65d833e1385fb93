import { accessSync, constants } from 'node:fs'
import { join, resolve } from 'node:path'
import { Password } from '@iot/shared/contract/access/auth.schema'
import { z } from 'zod'
import type { Db } from './core/db/db'
import type { DatabaseSource } from './core/db/openDatabase'
import type { ConnectionLimits, ConnectionTimeouts } from './core/http/connections'
import type { UserLimits } from './core/http/userLimits'
import type { DeviceAccessOptions } from './device-access/deviceAccess'
import { commandTimeoutSchemas, readCommandTimeouts } from './device-access/commands/timeouts'
import { defaultHistoryDays } from './device-access/history/history'
import { defaultLogDays, type LogRetentionDays } from './modules/retention/retention'
import type { NotificationOptions } from './modules/notification/routes'
import { parseNetworks } from './modules/notification/targetAddress'
import type { AlarmOptions } from './modules/alarm/alarms'
import type { ShiftOptions } from './modules/shift/openCounts'
import { readKey } from './site/signature'
import type { SiteOptions } from './site/site'

export type AppOptions = DeviceAccessOptions & {
  database: DatabaseSource
  /**
   * Password of the first administrator. If it is left out, one is generated that must be changed at the first
   * sign-in.
   */
  adminPassword?: string
  /** The platform starts without demonstration projects and the example building. */
  empty?: boolean
  /** The example site, if the program brings one. */
  example?: ExampleSite
  /** The X-Forwarded-For header of load balancers at these addresses is trusted. */
  trustProxy?: string
  logLevel?: string
  /** Log lines are written to this stream, which defaults to standard output. */
  logStream?: { write: (line: string) => void }
  logDays?: LogRetentionDays
  /** Token that callers of `/metrics` must present; without one only this machine may call it. */
  metricsToken?: string
  /** Anyone may read the description of the HTTP API; without it signed-in users may. */
  isApiDocumentPublic?: boolean
  /** These timeouts for slow callers replace the defaults. */
  patience?: Partial<ConnectionTimeouts>
  /** These limits of open HTTP connections replace the defaults. */
  connectionLimits?: Partial<ConnectionLimits>
  /** These limits per user replace the defaults. */
  userLimits?: Partial<UserLimits>
  /** A short import or export is answered with its result within this many milliseconds; it replaces the default. */
  answerTasksWithin?: number
  /** A device may be offline this long before an incident is recorded; it replaces the default. */
  shift?: ShiftOptions
  /** Encrypts the secrets of notification channels; all processes of one database need the same. */
  secretKey?: string
  /** The key is read from this file, which is created if it is missing, unless `secretKey` is set. */
  secretKeyFile?: string
  notification?: NotificationOptions
  /** Free disk space of this folder is among the metrics. */
  data?: string
  alarm?: AlarmOptions
  /** The files of tasks are stored in this folder for a day; without it they last as long as the process. */
  results?: string
  /** Scheduled backups; without a folder there are none. */
  backup?: BackupSettings
  /** The built console is served if this is set; otherwise only the API is served. */
  site?: SiteOptions
}

export type ExampleSite = {
  /** Adds the site to a platform that has never had a project, and starts its simulated devices. */
  add: (db: Db) => Promise<void>
  /** Starts the simulated devices of the rows that exist. */
  start: (db: Db) => Promise<void>
  stop: () => Promise<void>
}

export type BackupSettings = {
  /** Backups are written into this folder. */
  folder?: string
  /** Time of day, HH:mm in the time zone of the process, at which one is made. */
  at: string
  /** This many backups are kept of the scheduled ones, and as many of those that a person started. */
  keep: number
  /** The first line of this file is the passphrase; without one backups are not encrypted. */
  passphraseFile?: string
}

export type Settings = Omit<AppOptions, 'database'> & {
  port: number
  /** `localhost` listens on both loopback addresses of this machine only. */
  host: string
  data: string
  databaseUrl?: string
}

export const getDatabaseSource = ({ databaseUrl, data }: Settings): DatabaseSource =>
  databaseUrl
    ? { kind: 'server', url: databaseUrl }
    : { kind: 'embedded', folder: join(data, 'database') }

const optionalPortSchema = (name: string) =>
  z.coerce
    .number(`${name} 须为端口号`)
    .int(`${name} 须为端口号`)
    .min(0, `${name} 须为端口号`)
    .max(65535, `${name} 须为端口号`)
    .optional()
const portSchema = (name: string, fallback: number) => optionalPortSchema(name).default(fallback)
/** The retention is 7 to 3650 days; laws require about half a year of sign-in and audit logs. */
const retentionDaysSchema = (name: string, fallback: number) =>
  z.coerce
    .number(`${name} 须为天数`)
    .int(`${name} 须为天数`)
    .min(7, `${name} 至少为 7`)
    .max(3650, `${name} 最多为 3650`)
    .default(fallback)
const positiveIntegerSchema = (name: string) =>
  z.coerce.number(`${name} 须为整数`).int(`${name} 须为整数`).min(1, `${name} 至少为 1`).optional()
const readableFileSchema = (name: string) =>
  z.string().refine((path) => {
    try {
      accessSync(path, constants.R_OK)
      return true
    } catch {
      return false
    }
  }, `${name} 须为可读取的文件`)
const publicKeySchema = (name: string) =>
  z.string().transform((path, context) => {
    try {
      return readKey('publicKey', path)
    } catch (error) {
      context.addIssue(`${name}：${(error as Error).message}`)
      return z.NEVER
    }
  })
const networksSchema = (name: string) =>
  z.string().superRefine((text, context) => {
    try {
      parseNetworks(text)
    } catch (error) {
      context.addIssue(`${name}：${(error as Error).message}`)
    }
  })
const urlSchema = (name: string, protocol: RegExp, example: string) =>
  z.url({ protocol, error: `${name} 须形如 ${example}` }).optional()

const Environment = z
  .object({
    PORT: portSchema('PORT', 8080),
    HOST: z
      .string()
      .regex(/^[\w.:-]+$/, 'HOST 须是本机的一个地址')
      .default('localhost'),
    MQTT_HOST: z.string().optional(),
    MQTT_PORT: portSchema('MQTT_PORT', 1883),
    DATA: z.string().default('.data'),
    SITE: z.string().optional(),
    DATABASE_URL: urlSchema(
      'DATABASE_URL',
      /^postgres(ql)?$/,
      'postgresql://用户:密码@主机:5432/库名',
    ),
    MQTT_URL: urlSchema('MQTT_URL', /^(mqtts?|wss?)$/, 'mqtt://主机:1883'),
    INGEST_PARTITIONS: z.coerce
      .number('INGEST_PARTITIONS 须为整数')
      .int('INGEST_PARTITIONS 须为整数')
      .min(1, 'INGEST_PARTITIONS 至少为 1')
      .max(64, 'INGEST_PARTITIONS 最多为 64')
      .default(1),
    MQTT_TLS_PORT: optionalPortSchema('MQTT_TLS_PORT'),
    MQTT_WS_PORT: optionalPortSchema('MQTT_WS_PORT'),
    MQTT_WSS_PORT: optionalPortSchema('MQTT_WSS_PORT'),
    MQTT_CERTIFICATE: readableFileSchema('MQTT_CERTIFICATE').optional(),
    MQTT_KEY: readableFileSchema('MQTT_KEY').optional(),
    MQTT_CONNECTIONS_PER_ADDRESS: positiveIntegerSchema('MQTT_CONNECTIONS_PER_ADDRESS'),
    HTTP_CONNECTIONS_PER_ADDRESS: positiveIntegerSchema('HTTP_CONNECTIONS_PER_ADDRESS'),
    HTTP_CONNECTIONS: positiveIntegerSchema('HTTP_CONNECTIONS'),
    USER_CALLS_PER_SECOND: positiveIntegerSchema('USER_CALLS_PER_SECOND'),
    MQTT_CONNECTIONS: positiveIntegerSchema('MQTT_CONNECTIONS'),
    PUBLIC_URL: urlSchema('PUBLIC_URL', /^https?$/, 'https://主机'),
    MQTT_HOOK_SECRET: z.string().min(16, 'MQTT_HOOK_SECRET 至少 16 个字符').optional(),
    SECRET_KEY: z.string().min(32, 'SECRET_KEY 至少 32 个字符').optional(),
    NOTIFICATION_PRIVATE_NETWORKS: networksSchema('NOTIFICATION_PRIVATE_NETWORKS').optional(),
    OFFLINE_GRACE_SECONDS: positiveIntegerSchema('OFFLINE_GRACE_SECONDS'),
    ADMIN_PASSWORD: Password.optional(),
    RELEASE_PUBLIC_KEY: publicKeySchema('RELEASE_PUBLIC_KEY').optional(),
    METRICS_TOKEN: z.string().min(16, 'METRICS_TOKEN 至少 16 个字符').optional(),
    API_DOCS_PUBLIC: z.enum(['true', 'false'], 'API_DOCS_PUBLIC 须为 true 或 false').optional(),
    TRUST_PROXY: z.string().optional(),
    LOGIN_LOG_DAYS: retentionDaysSchema('LOGIN_LOG_DAYS', defaultLogDays.login),
    ACTION_LOG_DAYS: retentionDaysSchema('ACTION_LOG_DAYS', defaultLogDays.action),
    ERROR_LOG_DAYS: retentionDaysSchema('ERROR_LOG_DAYS', defaultLogDays.error),
    HISTORY_DAYS: retentionDaysSchema('HISTORY_DAYS', defaultHistoryDays),
    BACKUP_FOLDER: z.string().optional(),
    BACKUP_AT: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'BACKUP_AT 须形如 03:30')
      .default('03:30'),
    BACKUP_KEEP: z.coerce
      .number('BACKUP_KEEP 须为整数')
      .int('BACKUP_KEEP 须为整数')
      .min(1, 'BACKUP_KEEP 至少为 1')
      .max(1000, 'BACKUP_KEEP 最多为 1000')
      .default(14),
    BACKUP_PASSPHRASE_FILE: readableFileSchema('BACKUP_PASSPHRASE_FILE').optional(),
    ...commandTimeoutSchemas,
    LOG_LEVEL: z
      .enum(
        ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
        'LOG_LEVEL 须为 trace、debug、info、warn、error 或 silent',
      )
      .default('warn'),
  })
  .superRefine((values, context) => {
    if (values.MQTT_CERTIFICATE && values.MQTT_KEY) return
    for (const name of ['MQTT_TLS_PORT', 'MQTT_WSS_PORT'] as const)
      if (values[name] !== undefined)
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `${name} 需要 MQTT_CERTIFICATE 和 MQTT_KEY`,
        })
  })

export type SettingName = keyof z.input<typeof Environment>
export const settingNames = Object.keys(Environment.shape) as SettingName[]
/** Values of the settings that have one when nothing is set. */
export const settingDefaults: { [name in SettingName]?: unknown } = Environment.parse({})

/**
 * Reads the settings of a server process from environment variables.
 * @throws Error whose message has one line for each wrong value
 */
export function readSettings(environment: Record<string, string | undefined>) {
  const nonEmptyVariables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== ''),
  )
  const { success, data, error } = Environment.safeParse(nonEmptyVariables)
  if (!success)
    throw new Error(
      error.issues
        .filter(
          ({ path }, index, issues) =>
            issues.findIndex((issue) => issue.path[0] === path[0]) === index,
        )
        .map(({ path, message }) =>
          message.includes(String(path[0])) ? message : `${String(path[0])}：${message}`,
        )
        .join('\n'),
    )
  return {
    port: data.PORT,
    host: data.HOST,
    mqttHost: data.MQTT_HOST ?? data.HOST,
    mqttPort: data.MQTT_PORT,
    mqttUrl: data.MQTT_URL,
    ingestPartitions: data.INGEST_PARTITIONS,
    mqttTlsPort: data.MQTT_TLS_PORT,
    mqttWsPort: data.MQTT_WS_PORT,
    mqttWssPort: data.MQTT_WSS_PORT,
    mqttSecure:
      data.MQTT_CERTIFICATE && data.MQTT_KEY
        ? { certificate: data.MQTT_CERTIFICATE, key: data.MQTT_KEY }
        : undefined,
    mqttLimits: omitUndefined({
      connectionsPerAddress: data.MQTT_CONNECTIONS_PER_ADDRESS,
      connections: data.MQTT_CONNECTIONS,
    }),
    connectionLimits: omitUndefined({
      perAddress: data.HTTP_CONNECTIONS_PER_ADDRESS,
      total: data.HTTP_CONNECTIONS,
    }),
    userLimits: omitUndefined({ callsPerSecond: data.USER_CALLS_PER_SECOND }),
    publicUrl: data.PUBLIC_URL,
    mqttHookSecret: data.MQTT_HOOK_SECRET,
    secretKey: data.SECRET_KEY,
    notification: { privateNetworks: data.NOTIFICATION_PRIVATE_NETWORKS },
    alarm: omitUndefined({
      graceMs: data.OFFLINE_GRACE_SECONDS && data.OFFLINE_GRACE_SECONDS * 1000,
    }),
    data: resolve(data.DATA),
    databaseUrl: data.DATABASE_URL,
    adminPassword: data.ADMIN_PASSWORD,
    trustProxy: data.TRUST_PROXY,
    logLevel: data.LOG_LEVEL,
    logDays: {
      login: data.LOGIN_LOG_DAYS,
      action: data.ACTION_LOG_DAYS,
      error: data.ERROR_LOG_DAYS,
    },
    historyDays: data.HISTORY_DAYS,
    backup: {
      folder: data.BACKUP_FOLDER && resolve(data.BACKUP_FOLDER),
      at: data.BACKUP_AT,
      keep: data.BACKUP_KEEP,
      passphraseFile: data.BACKUP_PASSPHRASE_FILE && resolve(data.BACKUP_PASSPHRASE_FILE),
    },
    commandTimeouts: readCommandTimeouts(data),
    metricsToken: data.METRICS_TOKEN,
    isApiDocumentPublic: data.API_DOCS_PUBLIC === 'true',
    site: { folder: resolve(data.SITE ?? join(data.DATA, 'site')), key: data.RELEASE_PUBLIC_KEY },
    empty: true,
  } satisfies Settings
}

/** Keeps the limits that are set, so that the others keep their default. */
const omitUndefined = <T extends Record<string, number | undefined>>(limits: T) =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: number
  }
