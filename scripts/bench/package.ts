import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildAll } from '../build'
import { packageProgram } from '../package/packageProgram'
import { measureTimeMs, pause, printFigure } from './devices/figures'
import { pickSize } from './tools/size'

const restarts = pickSize(5, 1)
/** The memory is read after the work of the start has ended. */
const settleMs = pickSize(15_000, 500)
/** The kernel counts CPU time in hundredths of a second. */
const ticksPerSecond = 100

/**
 * Measures the packaged program with its embedded database on Linux: seconds and CPU time of the first start, which
 * creates the database, and of restarts, and the memory of all its processes. Shared pages count once.
 * @param folder a package that exists; without it one is made
 */
export default async function measurePackage(folder?: string) {
  const work = await mkdtemp(join(tmpdir(), 'bench-package-'))
  const program = folder ?? join(work, 'package')
  if (!folder) {
    await packageProgram(
      program,
      (await buildAll()).map(({ dist }) => dist),
    )
  }
  for (let start = 0; start <= restarts; start++) {
    const name = start === 0 ? 'first start' : `restart ${start}`
    const child = startProgram(program, join(work, 'data'))
    const ms = await measureTimeMs(() => waitUntilStarted(child))
    const { cpuSeconds } = await readUsage(child.pid!)
    await pause(settleMs)
    const { megabytes } = await readUsage(child.pid!)
    printFigure(
      name,
      `${(ms / 1000).toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB, load ${loadavg()[0]!.toFixed(1)}`,
    )
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  await rm(work, { recursive: true })
}

const startProgram = (program: string, data: string) =>
  spawn(process.execPath, ['main.js', '--port', '0', '--mqtt-port', '0'], {
    cwd: program,
    env: { PATH: process.env.PATH, DATA: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

async function waitUntilStarted(child: ChildProcess) {
  let output = ''
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    output += String(chunk)
    if (output.includes('平台已启动')) return
  }
  throw new Error('the program ended before it had started')
}

/** Adds up CPU time and memory of a process and all its descendants. */
async function readUsage(pid: number) {
  const parentByPid = new Map<number, number>()
  const statByPid = new Map<number, string[]>()
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined)
    if (!stat) continue
    // The name of the program stands in brackets and may itself contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    statByPid.set(Number(name), fields)
    parentByPid.set(Number(name), Number(fields[1]))
  }
  const isBelow = (candidate: number): boolean =>
    candidate === pid ||
    (parentByPid.has(candidate) && candidate > 1 && isBelow(parentByPid.get(candidate)!))
  const pids = [...statByPid.keys()].filter(isBelow)
  const rollups = await Promise.all(
    pids.map((one) => readFile(`/proc/${one}/smaps_rollup`, 'utf8').catch(() => '')),
  )
  // User and system time of the process and of its children that have ended.
  const ticks = pids.flatMap((one) => statByPid.get(one)!.slice(11, 15).map(Number))
  return {
    megabytes: sum(rollups.map((text) => Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0))) / 1024,
    cpuSeconds: sum(ticks) / ticksPerSecond,
  }
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
