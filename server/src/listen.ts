import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app'
import { findAddresses, toBindHost, toUrlHost } from './core/bindAddress'
import { refuseNewerDatabase } from './core/db/migrate'
import { openDatabase } from './core/db/open'
import { causesOf, sqlState } from './core/db/outage'
import { describeArguments } from './core/safeError'
import { databaseOf, type Settings } from './settings'

/**
 * Starts the platform and opens it to the network.
 * @returns its addresses, the administrator's password if this start generated one, and a function that stops it
 * @throws Error with a one-line message: port in use, data folder unwritable or locked, database unreachable
 * @example
 * const settings = { port: 8080, host: 'localhost', data: '.data', mqttPort: 1883 }
 * const { url, adminPassword, close } = await listen(settings)
 */
export async function listen(settings: Settings) {
  const { port, host, data } = settings
  mustBeWritable(data)
  const app = await buildApp({
    ...settings,
    database: databaseOf(settings),
    results: join(data, 'results'),
  }).catch((error) => {
    throw plain(error, settings.mqttHost)
  })
  try {
    await app.listen({ port, host: toBindHost(host) })
  } catch (error) {
    await app.close()
    throw plain(error, host)
  }
  const { addresses, beside } = await findAddresses(app.server, host)
  const textAgain = settings.logLevel ? sayInLog(app) : undefined
  const address = app.server.address()
  const open = typeof address === 'object' && address ? address.port : port
  const urls = (scheme: string, among: string[], at: number) =>
    among.map((one) => `${scheme}://${toUrlHost(one)}:${at}`)
  const { mqttAddresses = [], mqttPorts } = app.devices
  return {
    app,
    url: `http://${toUrlHost(addresses[0] ?? host)}:${open}`,
    urls: urls('http', addresses, open),
    mqttUrls: mqttPorts ? urls('mqtt', mqttAddresses, mqttPorts.tcp) : [],
    adminPassword: app.firstPassword,
    async close() {
      beside?.close()
      await app.close()
      textAgain?.()
    },
  }
}

/**
 * Refuses data of a newer version. Commands that write into the data folder before the platform opens its database
 * call it first.
 * @throws Error as `listen` does
 */
export async function refuseNewerData(settings: Settings) {
  const source = databaseOf(settings)
  if (source.kind === 'embedded' && !existsSync(source.folder)) return
  try {
    const database = await openDatabase(source)
    await refuseNewerDatabase(database.db).finally(database.close)
  } catch (error) {
    throw plain(error)
  }
}

/**
 * Redirects console.warn and console.error to the log while the platform runs; `console.log` stays for the user who
 * started it.
 */
function sayInLog({ log }: FastifyInstance) {
  const text = { warn: console.warn, error: console.error }
  console.warn = (...said) => log.warn(describeArguments(said))
  console.error = (...said) => log.error(describeArguments(said))
  return () => void Object.assign(console, text)
}

function mustBeWritable(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch {
    throw new Error(`数据目录不可写：${folder}`)
  }
}

const database = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT', 'ECONNRESET']

/**
 * Turns a failure of the environment into an error with a one-line message; other errors are returned unchanged with
 * their stack.
 */
function plain(error: unknown, host?: string): unknown {
  const causes = causesOf(error)
  const unknownHost = causes.find(
    (one) =>
      ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(one.code ?? '') &&
      host !== undefined &&
      Object.values(one).includes(host),
  )
  if (unknownHost) return new Error(`本机没有这个地址，不能在上面监听：${host}（HOST 或 --host）`)
  const taken = causes.find(({ code }) => code === 'EADDRINUSE' || code === 'EACCES') as
    (NodeJS.ErrnoException & { port?: number }) | undefined
  if (taken?.port)
    return new Error(
      taken.code === 'EACCES' ? `没有权限使用端口 ${taken.port}` : `端口 ${taken.port} 已被占用`,
    )
  const unreachable = causes.find(
    ({ code, message }) =>
      database.includes(code ?? '') || message.includes('timeout exceeded when trying to connect'),
  )
  if (unreachable)
    return new Error(`无法连接数据库（DATABASE_URL）：${unreachable.code ?? '连接超时'}`)
  const state = sqlState(error)
  if (state === '28P01' || state === '28000')
    return new Error('数据库拒绝登录：请检查 DATABASE_URL 中的用户名和密码')
  if (state === '3D000') return new Error('数据库不存在：请检查 DATABASE_URL 中的库名')
  return error
}
