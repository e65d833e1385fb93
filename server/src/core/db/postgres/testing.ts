import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findAccount } from './account'
import { findBinaries } from './binaries'
import { initPostgres } from './initPostgres'
import { startPostgres } from './server'

/** Name of the environment variable with the empty data folder that the tests of a run copy. */
const templateVariable = 'TEST_POSTGRES_FOLDER'

/**
 * Lets the servers of this run start from a copy of one folder, because initdb takes a second of the processor each
 * time.
 * @returns removes the folder
 */
export async function createTemplateFolder() {
  const root = mkdtempSync(join(tmpdir(), 'iot-template-'))
  const folder = join(root, 'data')
  await initPostgres(folder, findBinaries(findAccount(folder), root))
  process.env[templateVariable] = folder
  return () => rmSync(root, { recursive: true, force: true })
}

/** Puts an empty database into the folder of an embedded one, as its first start would with initdb. */
export function prepareTestPostgres(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  copyTemplateFolder(join(folder, 'postgres'))
}
const copyTemplateFolder = (target: string) =>
  cpSync(process.env[templateVariable]!, target, { recursive: true })

/**
 * Starts a PostgreSQL server of its own and returns its `DATABASE_URL`. Most tests share the server of the run instead
 * (testing.database.ts); tests that stop or overload a server need their own.
 */
export async function startTestPostgres(settings: Record<string, string | number> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'iot-postgres-'))
  const folder = join(root, 'data')
  const account = findAccount(folder)
  const binaries = findBinaries(account, root)
  // The tests of services have no template.
  if (process.env[templateVariable]) copyTemplateFolder(folder)
  else await initPostgres(folder, binaries)
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
