import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
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
    /**
     * Stops the server first, and waits until it stands, so that it starts nothing after its processes are counted; what
     * is given lets all go on. They are asked of the system: one that is just starting is in no view of the database yet.
     */
    async stopAll() {
      const pid = server.pid!
      signal([pid], 'SIGSTOP')
      while (!processes().some((one) => one.pid === pid && one.state.startsWith('T'))) await wait(5)
      const stopped = processes().flatMap((one) => (one.parent === pid ? one.pid : []))
      signal(stopped, 'SIGSTOP')
      return () => signal([pid, ...stopped], 'SIGCONT')
    },
    async close() {
      await server.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** All of the machine. */
function processes() {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' })
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, state = ''] = line.trim().split(/\s+/)
      return { pid: Number(pid), parent: Number(parent), state }
    })
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
