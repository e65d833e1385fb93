import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildApp } from './app'
import { findAddresses, toBindHost, toUrlHost } from './core/bindAddress'
import { refuseNewerDatabase } from './core/db/migrate'
import { openDatabase } from './core/db/openDatabase'
import { listCauses, getSqlState } from './core/db/outage'
import { getDatabaseSource, type Settings } from './settings'

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
  assertWritable(data)
  const app = await buildApp({
    ...settings,
    database: getDatabaseSource(settings),
    results: join(data, 'results'),
    secretKeyFile: join(data, 'secret.key'),
  }).catch((error) => {
    throw simplifyError(error, settings.mqttHost)
  })
  try {
    await app.listen({ port, host: toBindHost(host) })
  } catch (error) {
    await app.close()
    throw simplifyError(error, host)
  }
  const { addresses, ipv6Server } = await findAddresses(app.server, host)
  const address = app.server.address()
  const httpPort = typeof address === 'object' && address ? address.port : port
  const formatUrls = (scheme: string, hosts: string[], portNumber: number) =>
    hosts.map((hostName) => `${scheme}://${toUrlHost(hostName)}:${portNumber}`)
  const { mqttAddresses = [], mqttPorts } = app.devices
  return {
    app,
    url: `http://${toUrlHost(addresses[0] ?? host)}:${httpPort}`,
    urls: formatUrls('http', addresses, httpPort),
    mqttUrls: mqttPorts ? formatUrls('mqtt', mqttAddresses, mqttPorts.tcp) : [],
    adminPassword: app.firstPassword,
    async close() {
      ipv6Server?.close()
      await app.close()
    },
  }
}

/**
 * Refuses data of a newer version. Commands that write into the data folder before the platform opens its database
 * call it first.
 * @throws Error as `listen` does
 */
export async function refuseNewerData(settings: Settings) {
  const source = getDatabaseSource(settings)
  if (source.kind === 'embedded' && !existsSync(source.folder)) return
  try {
    const database = await openDatabase(source)
    try {
      await refuseNewerDatabase(database.db)
    } finally {
      await database.close()
    }
  } catch (error) {
    throw simplifyError(error)
  }
}

function assertWritable(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch {
    throw new Error(`数据目录不可写：${folder}`)
  }
}

const unreachableCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT', 'ECONNRESET']

/**
 * Turns a failure of the environment into an error with a one-line message; other errors are returned unchanged with
 * their stack.
 */
function simplifyError(error: unknown, host?: string): unknown {
  const causes = listCauses(error)
  const addressError = causes.find(
    (cause) =>
      ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(cause.code ?? '') &&
      host !== undefined &&
      Object.values(cause).includes(host),
  )
  if (addressError) return new Error(`本机没有这个地址，不能在上面监听：${host}（HOST 或 --host）`)
  const portError = causes.find(({ code }) => code === 'EADDRINUSE' || code === 'EACCES') as
    | (NodeJS.ErrnoException & { port?: number })
    | undefined
  if (portError?.port)
    return new Error(
      portError.code === 'EACCES'
        ? `没有权限使用端口 ${portError.port}`
        : `端口 ${portError.port} 已被占用`,
    )
  const connectionError = causes.find(
    ({ code, message }) =>
      unreachableCodes.includes(code ?? '') ||
      message.includes('timeout exceeded when trying to connect'),
  )
  if (connectionError)
    return new Error(`无法连接数据库（DATABASE_URL）：${connectionError.code ?? '连接超时'}`)
  const state = getSqlState(error)
  if (state === '28P01' || state === '28000')
    return new Error('数据库拒绝登录：请检查 DATABASE_URL 中的用户名和密码')
  if (state === '3D000') return new Error('数据库不存在：请检查 DATABASE_URL 中的库名')
  return error
}
