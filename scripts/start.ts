import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { toBindHost, toLocalAddress, toUrlHost } from 'server/src/core/bindAddress'
import { describeForErrorLog } from 'server/src/core/logging/safeError'
import { listen, refuseNewerData } from 'server/src/listen'
import { readSettings } from 'server/src/settings'
import type { SiteOptions } from 'server/src/site/site'
import { exitOnUncaughtError } from 'server/src/uncaught'
import { build } from './build'
import { seedBuilding } from './simulate-building/seed'
import { readEdges, simulateBuilding } from './simulate-building/simulate'

export type StartOptions = {
  host: string
  port: number
  mqttPort: number
  data: string
  empty: boolean
  devices: boolean
}

const help = `npm start -- [--host localhost] [--port 8080] [--mqtt-port 1883] [--data .data] [--empty] [--no-devices]
  --host         网页和设备从哪里可以连接：localhost 只限本机，0.0.0.0 为所有网络（也可用环境变量 HOST）
  --empty        不带示例楼宇
  --no-devices   不启动模拟设备
  ADMIN_PASSWORD 环境变量：首次启动时的管理员密码，不再要求修改`

/** Builds the packages that changed, then runs the platform and the simulated building until Ctrl-C. */
export default async function start(args: string[]) {
  exitOnUncaughtError()
  try {
    const options = parseOptions(args)
    const { releaseKey, ...environment } = readEnvironment()
    await Promise.all([
      assertWritable(options.data),
      assertPortIsFree(options.port, options.host, '--port'),
      environment.mqttUrl === undefined &&
        assertPortIsFree(options.mqttPort, environment.mqttHost ?? options.host, '--mqtt-port'),
    ])
    // The build publishes into the data folder, which may belong to a newer version, so that is checked first.
    await refuseNewerData({ ...environment, ...options })
    const folder = await build({ site: resolve(options.data, 'site'), key: releaseKey })
    await run(options, environment, { folder, key: releaseKey })
  } catch (error) {
    console.error(formatStartError(error))
    process.exit(1)
  }
}

async function run(
  { host, port, mqttPort, data, empty, devices }: StartOptions,
  environment: Omit<Environment, 'releaseKey'>,
  site: SiteOptions,
) {
  const mqttHost = environment.mqttHost ?? host
  const broker = removeCredentials(
    environment.mqttUrl ?? `mqtt://${getLocalHost(mqttHost)}:${mqttPort}`,
  )
  let building: Awaited<ReturnType<typeof simulateBuilding>> | undefined
  const platform = await listen({
    port,
    host,
    mqttPort,
    data,
    empty,
    async example(db) {
      await seedBuilding(db)
      if (devices) building = await simulateBuilding(broker, await readEdges(db))
    },
    site,
    ...environment,
    mqttHost,
    // The simulated gateways download their configuration from this machine.
    publicUrl:
      environment.publicUrl ?? (devices ? `http://${getLocalHost(host)}:${port}` : undefined),
  })
  if (!empty) await seedBuilding(platform.app.db)
  building = devices
    ? await simulateBuilding(broker, await readEdges(platform.app.db)).catch(
        createUnreachableHandler(broker),
      )
    : undefined

  console.log(`\n控制台  ${platform.urls.join('  ')}\n管理员  admin`)
  if (platform.adminPassword)
    console.log(`初始密码  ${platform.adminPassword}（首次登录须修改，只显示这一次）`)
  console.log(
    `设备接入  ${environment.mqttUrl ? broker : platform.mqttUrls.join('  ')}\n数据库  ${platform.app.database.about}\nCtrl-C 结束，数据保存在 ${data}`,
  )
  if (host === 'localhost')
    console.log('只有本机可以连接；要让其他机器连接，请加 --host 0.0.0.0（并先设好防火墙和 TLS）')

  let isEnding = false
  const closeAll = async () => {
    // The simulated lamps stay connected until the platform has closed, because they answer commands in flight.
    await platform.close()
    await building?.close()
  }
  const shutDown = () => {
    if (isEnding) process.exit(130)
    isEnding = true
    closeAll().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', shutDown)
  process.on('SIGTERM', shutDown)
}

class StartError extends Error {}

/** Reads and checks the environment variables; ports, folder and host come from the command line. */
function readEnvironment() {
  const { port, host, mqttPort, data, empty, mqttHost, ...rest } = readSettings({
    ...process.env,
    PORT: '',
    MQTT_PORT: '',
    DATA: '',
  })
  // `MQTT_HOST` applies to devices only; without it the host of the command line does.
  return { ...rest, mqttHost: process.env.MQTT_HOST ? mqttHost : undefined }
}

/** Formats the address at which programs of this machine reach a server on `host`, for use in a URL. */
const getLocalHost = (host: string) => toUrlHost(toLocalAddress(host))

type Environment = ReturnType<typeof readEnvironment>

const createUnreachableHandler = (broker: string) => (error: Error) => {
  throw new StartError(`模拟设备连不上 ${broker}：${error.message}（--no-devices 不启动模拟设备）`)
}

/**
 * Removes the platform's account from `MQTT_URL`, because devices use their own and no password may appear on the
 * screen.
 */
function removeCredentials(url: string) {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}

function formatStartError(error: unknown) {
  if (!(error instanceof Error)) return error
  const { code, path } = error as NodeJS.ErrnoException
  if (path && ['EACCES', 'EPERM', 'EROFS'].includes(code ?? '')) return `没有权限写入：${path}`
  if (path && code === 'ENOSPC') return `磁盘已满：${path}`
  return error instanceof StartError ? error.message : describeForErrorLog(error).message
}

function parseOptions(args: string[]): StartOptions {
  let values
  try {
    values = parseArgs({
      args,
      allowNegative: true,
      options: {
        host: { type: 'string', default: process.env.HOST || 'localhost' },
        port: { type: 'string', default: '8080' },
        'mqtt-port': { type: 'string', default: '1883' },
        data: { type: 'string', default: '.data' },
        empty: { type: 'boolean', default: false },
        devices: { type: 'boolean', default: true },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch {
    throw new StartError(`看不懂参数：${args.join(' ')}\n${help}`)
  }
  if (values.help) {
    console.log(help)
    process.exit(0)
  }
  if (!/^[\w.:-]+$/.test(values.host))
    throw new StartError(`--host 须是本机的一个地址，收到的是 ${values.host}`)
  return {
    host: values.host,
    port: parsePort(values.port, '--port'),
    mqttPort: parsePort(values['mqtt-port'], '--mqtt-port'),
    data: resolve(values.data),
    empty: values.empty,
    devices: values.devices,
  }
}

function parsePort(text: string, flag: string) {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new StartError(`${flag} 须是 1 到 65535 的整数，收到的是 ${text}`)
  return port
}

async function assertWritable(folder: string) {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch {
    throw new StartError(`数据目录不可写：${folder}（用 --data 换一个）`)
  }
}

/** Ports are checked before the build, so that a port in use is reported at once. */
const assertPortIsFree = (port: number, host: string, flag: string) =>
  new Promise<void>((resolvePromise, reject) => {
    const probe = createServer()
    probe.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new StartError(
          ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code ?? '')
            ? `本机没有这个地址：${host}（用 --host 换一个）`
            : `${code === 'EACCES' ? `没有权限使用端口 ${port}` : `端口 ${port} 已被占用`}（用 ${flag} 换一个）`,
        ),
      ),
    )
    probe.listen(port, toBindHost(host), () => probe.close(() => resolvePromise()))
  })
