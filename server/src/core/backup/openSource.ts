import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { connectAlone, openDatabase, type DatabaseSource } from '../db/openDatabase'
import { findRunningServer } from '../db/postgres/leftoverServer'

/**
 * Connects to the database of a platform, also while it runs: the embedded database of a running platform is reached
 * through its socket, that of a stopped one is started for the time of the work.
 */
export async function withDatabaseConnection<T>(
  source: DatabaseSource,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { client, close } = await connect(source)
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
    await close?.()
  }
}

async function connect(
  source: DatabaseSource,
): Promise<{ client: Client; close?: () => Promise<void> }> {
  if (source.kind === 'server')
    return { client: await connectAlone({ connectionString: source.url }) }
  if (source.kind !== 'embedded') throw new Error('这种数据库不能备份')
  const postgresFolder = join(source.folder, 'postgres')
  if (!existsSync(postgresFolder)) throw new Error(`${source.folder} 中没有数据库`)
  const running = findRunningServer(postgresFolder)
  if (running)
    return { client: await connectAlone({ ...running, user: 'postgres', database: 'postgres' }) }
  const database = await openDatabase(source)
  try {
    return { client: await database.openConnection(), close: database.close }
  } catch (error) {
    await database.close()
    throw error
  }
}
