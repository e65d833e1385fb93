import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { accountFor } from './account'
import { findBinaries } from './binaries'
import { makePostgres } from './make'
import { startPostgres } from './server'

/** A real PostgreSQL of a test's own, and the `DATABASE_URL` that leads to it. */
export async function testPostgres() {
  const root = mkdtempSync(join(tmpdir(), 'iot-postgres-'))
  const folder = join(root, 'data')
  const account = accountFor(folder)
  const binaries = findBinaries(account, root)
  await makePostgres(folder, binaries)
  const server = await startPostgres(folder, binaries, account)
  return {
    server,
    url: `postgresql:///postgres?user=postgres&host=${server.connection.host}`,
    /** Stops the server first, that it starts no connection after they are counted; what is given lets all go on. */
    async stopAll() {
      const client = new pg.Client(server.connection)
      await client.connect()
      const stopped = [server.pid!]
      signal(stopped, 'SIGSTOP')
      const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
      stopped.push(...rows.map(({ pid }) => pid))
      signal(stopped, 'SIGSTOP')
      return () => {
        signal(stopped, 'SIGCONT')
        return client.end()
      }
    },
    async close() {
      await server.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

export function signal(pids: number[], name: NodeJS.Signals) {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      continue
    }
  }
}
