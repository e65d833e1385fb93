import { mkdirSync } from 'node:fs'
import { buildApp } from './app'
import { databaseOf, type Settings } from './settings'

/**
 * Opens the platform to the network.
 * @returns where it is, the administrator's generated password when this start made one, and how to end it
 * @throws Error with one clear line: a taken port, an unwritable or used data folder, an unreachable database
 */
export async function listen(settings: Settings) {
  const { port, host, data } = settings
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const app = await buildApp({ ...settings, database: databaseOf(settings) })
  try {
    await app.listen({ port, host })
  } catch (error) {
    await app.close()
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? new Error(`端口 ${port} 已被占用`) : error
  }
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return { app, url: `http://${shown}:${port}`, adminPassword: app.firstPassword, close: () => app.close() }
}
