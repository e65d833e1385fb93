import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findAccount } from './account'
import { findBinaries } from './binaries'
import { initPostgres } from './initPostgres'
import { startPostgres } from './server'

/**
 * Starts a PostgreSQL server of its own and returns its `DATABASE_URL`. Most tests share the server of the run instead
 * (testing.database.ts); tests that stop or overload a server need their own.
 */
export async function startTestPostgres(settings: Record<string, string | number> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'iot-postgres-'))
  const folder = join(root, 'data')
  const account = findAccount(folder)
  const binaries = findBinaries(account, root)
  await initPostgres(folder, binaries)
  const server = await startPostgres(folder, binaries, account, { settings })
  return {
    server,
    url: `postgresql:///postgres?user=postgres&host=${server.connection.host}`,
    /**
     * Stops all processes of the server with SIGSTOP and returns a function that continues them. The main process is
     * stopped first so that it starts no further ones. The processes are read from the operating system, because a
     * backend that is starting is in no view of the database yet.
     */
    async stopAll() {
      const pid = server.pid!
      sendSignal([pid], 'SIGSTOP')
      while (!listProcesses().some((entry) => entry.pid === pid && entry.state.startsWith('T')))
        await wait(5)
      const childPids = listProcesses().flatMap((entry) => (entry.parent === pid ? entry.pid : []))
      sendSignal(childPids, 'SIGSTOP')
      return () => sendSignal([pid, ...childPids], 'SIGCONT')
    },
    async close() {
      await server.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function listProcesses() {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' })
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, state = ''] = line.trim().split(/\s+/)
      return { pid: Number(pid), parent: Number(parent), state }
    })
}

export function sendSignal(pids: number[], name: NodeJS.Signals) {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      continue
    }
  }
}
