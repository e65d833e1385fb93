import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
    async close() {
      await server.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
