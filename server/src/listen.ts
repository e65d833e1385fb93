import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app'
import { causesOf, sqlState } from './core/db/outage'
import { describeArguments } from './core/safeError'
import { databaseOf, type Settings } from './settings'

/**
 * Opens the platform to the network.
 * @returns where it is, the administrator's password if this start generated one, and how to end it
 * @throws Error whose message is one clear line: a taken port, an unwritable or used data folder, an unreachable database
 * @example const { url, adminPassword, close } = await listen({ port: 8080, host: '0.0.0.0', data: '.data', mqttPort: 1883 })
 */
export async function listen(settings: Settings) {
  const { port, host, data } = settings
  mustBeWritable(data)
  const app = await buildApp({
    ...settings,
    database: databaseOf(settings),
    results: join(data, 'results'),
  }).catch((error) => {
    throw plain(error)
  })
  try {
    await app.listen({ port, host })
  } catch (error) {
    await app.close()
    throw plain(error)
  }
  const textAgain = settings.logLevel ? sayInLog(app) : undefined
  const address = app.server.address()
  const open = typeof address === 'object' && address ? address.port : port
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return {
    app,
    url: `http://${shown}:${open}`,
    adminPassword: app.firstPassword,
    async close() {
      await app.close()
      textAgain?.()
    },
  }
}

/** What is said beside calls is a line of the log too, at its level; `console.log` is for who started the platform. */
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

/** A failure of the surroundings in one line; anything else as it is, with its stack. */
function plain(error: unknown): unknown {
  const causes = causesOf(error)
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
