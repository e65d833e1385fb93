import { spawn } from 'node:child_process'
import { findFreePort } from '../../freePort'
import { root } from '../../root'

const password = 'bench-2026'
export type Platform = Awaited<ReturnType<typeof startPlatform>>

/**
 * Starts a platform as a separate process on a given database with its broker on a free port, and signs in as
 * administrator.
 */
export async function startPlatform(url: string, folder: string) {
  const mqttPort = await findFreePort()
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      MQTT_PORT: String(mqttPort),
      DATABASE_URL: url,
      DATA: folder,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'error',
      MQTT_URL: '',
    },
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const address = await new Promise<string>((resolve, reject) => {
    child.on('exit', () => reject(new Error('The platform did not start')))
    child.stdout.on('data', (text) => {
      const [, origin] = /平台已启动：(\S+)/.exec(String(text)) ?? []
      if (origin) resolve(origin)
    })
  })
  let token = ''
  async function call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const answer = await fetch(address + path, {
      method,
      headers: { satoken: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T }
    if (code !== 0) throw new Error(`${path}: ${msg}`)
    return data
  }
  const login = { username: 'admin', password }
  token = (await call<{ token: string }>('POST', '/v1/auth/login', login)).token
  return {
    call,
    address,
    token,
    broker: `mqtt://127.0.0.1:${mqttPort}`,
    /** Returns the memory in MB and the CPU time in seconds that the platform has used. */
    async used() {
      const text = await (await fetch(`${address}/metrics`)).text()
      const readMetric = (name: string) =>
        Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
      return {
        all: readMetric('process_resident_memory_bytes') / 2 ** 20,
        heap: readMetric('nodejs_heap_size_used_bytes') / 2 ** 20,
        outside: readMetric('nodejs_external_memory_bytes') / 2 ** 20,
        cpu: readMetric('process_cpu_seconds_total'),
      }
    },
    async close() {
      child.removeAllListeners('exit')
      const exitEvent = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exitEvent
    },
  }
}
