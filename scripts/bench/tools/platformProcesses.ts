import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Services } from 'server/services/serviceProcesses'
import { root } from '../../root'
import { pause } from '../devices/figures'
import { password, signIn } from './signIn'

/** Linux counts CPU time in ticks of 10 ms. */
const ticksPerSecond = 100

/** @returns the fields of the process after its name, which may hold blanks and stands in parentheses */
const readStatFields = (pid: number | string) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')

/** Returns the CPU time in seconds that a process and its ended children have used. */
export function readCpuSeconds(pid: number) {
  const [, , , , , , , , , , , user, system, endedUser, endedSystem] =
    readStatFields(pid).map(Number)
  return (user! + system! + endedUser! + endedSystem!) / ticksPerSecond
}
/** Adds the running children; PostgreSQL has one for each connection. */
export function readTreeCpuSeconds(pid: number) {
  let sum = readCpuSeconds(pid)
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      if (readStatFields(name)[1] === String(pid)) sum += readCpuSeconds(Number(name))
    } catch {
      // The process has ended since the folder was listed.
    }
  }
  return sum
}

/** Starts a process of the platform as a site would and signs in; it is driven from outside only. */
export async function startPlatformProcess(
  { databaseUrl, mqttUrl, folder }: Services,
  name: string,
  environment: NodeJS.ProcessEnv = {},
) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA: join(folder, name),
      DATABASE_URL: databaseUrl,
      MQTT_URL: mqttUrl,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'error',
      ...environment,
    },
  })
  const killAtExit = () => void child.kill('SIGKILL')
  process.once('exit', killAtExit)
  child.once('exit', () => process.off('exit', killAtExit))
  const origin = await new Promise<string>((resolve, reject) => {
    child.on('exit', () => reject(new Error(`${name} did not start`)))
    child.stdout.on('data', (text) => {
      const [, address] = /平台已启动：(\S+)/.exec(String(text)) ?? []
      if (address) resolve(address)
    })
  })
  while (!(await fetch(`${origin}/readyz`)).ok) await pause(100)
  const token = await signIn(origin)
  return {
    name,
    origin,
    async post<T>(path: string, body: object) {
      const answer = await fetch(origin + path, {
        method: 'POST',
        headers: { satoken: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T }
      if (code !== 0) throw new Error(`${path}: ${msg}`)
      return data
    },
    readCpuSeconds: () => readCpuSeconds(child.pid!),
    /** Number of reports that the process has handled. */
    async readReportCount() {
      const text = await (await fetch(`${origin}/metrics`)).text()
      return Number(/^iot_device_reports_total (\S+)/m.exec(text)?.[1])
    },
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}
export type PlatformProcess = Awaited<ReturnType<typeof startPlatformProcess>>

/** Starts several processes; the first alone, because it migrates. */
export async function startPlatformProcesses(
  services: Services,
  count: number,
  environment: NodeJS.ProcessEnv = {},
) {
  const first = await startPlatformProcess(services, 'process-0', environment)
  const others = Array.from({ length: count - 1 }, (_, n) =>
    startPlatformProcess(services, `process-${n + 1}`, environment),
  )
  return [first, ...(await Promise.all(others))]
}

/** Returns the process that handles most reports: with leases the holder of the partition. */
export async function findBusiest(processes: PlatformProcess[]) {
  const readCounts = () => Promise.all(processes.map((one) => one.readReportCount()))
  const before = await readCounts()
  await pause(1000)
  const after = await readCounts()
  const rates = after.map((count, n) => count - before[n]!)
  return processes[rates.indexOf(Math.max(...rates))]!
}
