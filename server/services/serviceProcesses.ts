import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint, Envelope, Input, Output } from '@iot/shared/contract/endpoint'
import { livePath } from '@iot/shared/contract/live'
import type { ServerMessage } from '@iot/shared/contract/live.schema'
import { WebSocket } from 'ws'
import { findFreePort } from '../../scripts/freePort'
import { changeFolderOwner, getNamedAccount, type Account } from '../src/core/db/postgres/account'
import { findInstalledServices } from './installedServices'

const adminPassword = 'Services-2026'

/** Resolves with the first line that says so; rejects when the process ends before. */
function waitForLine(child: ChildProcess, line: RegExp) {
  let text = ''
  return new Promise<RegExpExecArray>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      text += chunk.toString()
      const match = line.exec(text)
      if (match) resolve(match)
    }
    child.stdout!.on('data', onData)
    child.stderr!.on('data', onData)
    child.once('exit', () => reject(new Error(text)))
  })
}
async function stopChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

function initDatabase(data: string, account: Account) {
  const { postgres } = findInstalledServices()
  const options = ['-D', data, '-U', 'console', '-A', 'trust', '--no-sync', '-E', 'UTF8']
  const { status, stderr } = spawnSync(
    join(postgres!, 'initdb'),
    [...options, '--locale=C'],
    account,
  )
  if (status !== 0) throw new Error(stderr.toString())
}

/**
 * Makes a data folder of PostgreSQL with the tables and rows of a first start, because each takes three seconds of the
 * processor.
 */
export async function createDatabaseTemplate(template: string) {
  const services = await startServices()
  const firstProcess = await startProcess(services)
  await firstProcess.kill('SIGTERM')
  await services.stop()
  renameSync(services.data, template)
  await services.close()
}

/**
 * Starts PostgreSQL and Mosquitto from this machine's packages, configured as a site would, until `close` is called.
 * @param template data folder of PostgreSQL to copy; without it, the database is empty
 */
export async function startServices(template?: string) {
  const { postgres, mosquitto } = findInstalledServices()
  const folder = mkdtempSync(join(tmpdir(), 'services-'))
  const account = getNamedAccount()
  const data = join(folder, 'postgres')
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid!)
  const ports = { postgres: await findFreePort(), mosquitto: await findFreePort() }

  if (template) {
    cpSync(template, data, { recursive: true })
    changeFolderOwner(data, account)
  } else initDatabase(data, account)
  const settings = ['listen_addresses=127.0.0.1', 'fsync=off', `unix_socket_directories=${folder}`]
  const database = spawn(
    join(postgres!, 'postgres'),
    ['-D', data, '-p', String(ports.postgres), ...settings.flatMap((setting) => ['-c', setting])],
    account,
  )
  await waitForLine(database, /ready to accept connections/)

  const config = join(folder, 'mosquitto.conf')
  const siteSettings = readFileSync('deploy/mosquitto.conf', 'utf8')
  const testSettings = `listener ${ports.mosquitto} 127.0.0.1\nallow_anonymous true\nuser root\npersistence_location ${folder}/\n`
  writeFileSync(config, siteSettings + testSettings)
  const broker = spawn(mosquitto!, ['-c', config], { stdio: 'pipe' })
  await waitForLine(broker, /running/)

  const stop = async () => {
    await stopChild(broker)
    // SIGINT is PostgreSQL's fast shutdown, which also ends open connections.
    await stopChild(database, 'SIGINT')
  }
  return {
    databaseUrl: `postgresql://console@127.0.0.1:${ports.postgres}/postgres`,
    mqttUrl: `mqtt://127.0.0.1:${ports.mosquitto}`,
    folder,
    data,
    stop,
    pids: { database: database.pid!, broker: broker.pid! },
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type Services = Awaited<ReturnType<typeof startServices>>

/** Starts another process of the platform as `docs/operating.md` describes it. */
export async function startProcess(
  { databaseUrl, mqttUrl, folder }: Services,
  extraEnvironment: NodeJS.ProcessEnv = {},
) {
  // `pnpm test:services` makes the package and names its folder.
  const child = spawn(process.execPath, [join(process.env.PROGRAM!, 'main.js')], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA: join(folder, 'data'),
      DATABASE_URL: databaseUrl,
      MQTT_URL: mqttUrl,
      MQTT_HOOK_SECRET: 'between-broker-and-us',
      ADMIN_PASSWORD: adminPassword,
      SCRYPT_LOG_N: '10',
      ...extraEnvironment,
    },
  })
  const [, url] = await waitForLine(child, /平台已启动：(\S+)/)
  let token: string | undefined
  const sockets: WebSocket[] = []

  async function send<E extends Endpoint>(
    { method, path }: E,
    input: Input<E>,
  ): Promise<Output<E>> {
    const remainingInput: Record<string, unknown> = { ...(input as object) }
    const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(remainingInput[name])
      delete remainingInput[name]
      return value
    })
    const query =
      method === 'GET' ? `?${new URLSearchParams(remainingInput as Record<string, string>)}` : ''
    const answer = await fetch(url + filledPath + query, {
      method,
      headers: {
        ...(token && { satoken: `Bearer ${token}` }),
        ...(method !== 'GET' && { 'content-type': 'application/json' }),
      },
      body: method === 'GET' ? undefined : JSON.stringify(remainingInput),
    })
    const { code, msg, data } = (await answer.json()) as Envelope
    if (code !== 0) throw new Error(`${path}: ${msg}`)
    return data as Output<E>
  }

  return {
    url: url!,
    send,
    /** Status of `/readyz`, by which a web server chooses the processes it sends requests to. */
    readyStatus: async () => (await fetch(`${url}/readyz`)).status,
    /** Uses a session that another process has opened. */
    useToken: (otherToken: string) => void (token = otherToken),
    async signIn(login: Endpoint) {
      const answer = await send(login, { username: 'admin', password: adminPassword } as never)
      ;({ token } = answer as { token: string })
      return token
    },
    /** Calls a hook endpoint as a broker does. */
    async hook(path: string, body: object) {
      const answer = await fetch(`${url}/v1/broker/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: 'Bearer between-broker-and-us',
        },
        body: JSON.stringify(body),
      })
      return ((await answer.json()) as { result: string }).result
    },
    /** Opens a live connection of a page that subscribes to a project and records what it receives. */
    async page(projectId: number) {
      const socket = new WebSocket(url!.replace('http', 'ws') + livePath)
      sockets.push(socket)
      const messages: ServerMessage[] = []
      const closeCode = once(socket, 'close').then(([code]) => code as number)
      await once(socket, 'open')
      const subscribed = new Promise((resolve) =>
        socket.on('message', (raw) => {
          const message = JSON.parse(String(raw)) as ServerMessage
          messages.push(message)
          if (message.type === 'ready') socket.send(JSON.stringify({ type: 'watch', projectId }))
          else if (message.type === 'watching') resolve(undefined)
        }),
      )
      socket.send(JSON.stringify({ type: 'auth', token }))
      await subscribed
      return {
        /** Resolves when the server closes the page. */
        closeCode,
        states: () =>
          messages.flatMap((message) => (message.type === 'states' ? message.devices : [])),
        tasks: () => messages.flatMap((message) => (message.type === 'tasks' ? message.tasks : [])),
      }
    },
    /** Number of reports that the process has handled. */
    async readReportCount() {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(/^iot_device_reports_total (\S+)/m.exec(text)?.[1])
    },
    /** SIGSTOP lets the process hang, SIGCONT wakes it up. */
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    async kill(signal: NodeJS.Signals = 'SIGKILL') {
      for (const socket of sockets) socket.terminate()
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}
export type Process = Awaited<ReturnType<typeof startProcess>>
