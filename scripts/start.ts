import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { toBindHost, toLocalAddress, toUrlHost } from 'server/src/core/bindAddress'
import type { Db } from 'server/src/core/db/db'
import { describeForErrorLog } from 'server/src/core/logging/safeError'
import { listen, refuseNewerData } from 'server/src/listen'
import { readCommandLine } from 'server/src/programSettings'
import { exitOnUncaughtError } from 'server/src/uncaught'
import { build } from './build'
import { addExampleSite } from './example-site/addExampleSite'
import { seedBuilding } from './simulate-building/seed'
import { readEdges, simulateBuilding } from './simulate-building/simulate'

const extraFlags = {
  empty: { help: '不带示例楼宇', default: false },
  samples: { help: '只带示例楼宇，不带目录、用户、历史等示例数据', default: true },
  devices: { help: '不启动模拟设备', default: true },
}
type Settings = ReturnType<typeof readCommandLine>['settings']

/** Builds the packages that changed, then runs the platform and the simulated building until Ctrl-C. */
export default async function start(args: string[]) {
  exitOnUncaughtError()
  try {
    const { answer, settings, flags } = readCommandLine(
      'npm start --',
      args,
      process.env,
      extraFlags,
    )
    if (answer !== undefined) return console.log(answer)
    await Promise.all([
      assertWritable(settings.data),
      assertPortIsFree(settings.port, settings.host, '--port'),
      settings.mqttUrl === undefined &&
        assertPortIsFree(settings.mqttPort, settings.mqttHost, '--mqtt-port'),
    ])
    // The build publishes into the data folder, which may belong to a newer version, so that is checked first.
    await refuseNewerData(settings)
    await build({ site: settings.site.folder, key: settings.site.key })
    await run(settings, {
      empty: flags.empty!,
      samples: flags.samples!,
      devices: flags.devices!,
    })
  } catch (error) {
    console.error(formatStartError(error))
    process.exit(1)
  }
}

type Choices = { empty: boolean; samples: boolean; devices: boolean }

/** Creates the example site of this program; its simulated devices run in this process. */
function createExample(broker: string, { samples, devices }: Choices) {
  let building: Awaited<ReturnType<typeof simulateBuilding>> | undefined
  const example = {
    async add(db: Db) {
      await (samples ? addExampleSite(db) : seedBuilding(db))
      await example.start(db)
    },
    async start(db: Db) {
      if (!devices) return
      building = await simulateBuilding(broker, await readEdges(db)).catch(
        createUnreachableHandler(broker),
      )
    },
    async stop() {
      await building?.close()
      building = undefined
    },
  }
  return example
}

async function run(settings: Settings, choices: Choices) {
  const { host, port, mqttHost, mqttPort, data } = settings
  const { empty, devices } = choices
  const broker = removeCredentials(
    settings.mqttUrl ?? `mqtt://${getLocalHost(mqttHost)}:${mqttPort}`,
  )
  const example = createExample(broker, choices)
  console.log('启动平台…')
  const startMs = Date.now()
  // The first start creates the database and the example site, which takes half a minute on a busy machine.
  const heartbeat = setInterval(
    () =>
      console.log(`  准备数据库和示例数据，已 ${Math.round((Date.now() - startMs) / 1000)} s …`),
    8000,
  )
  const platform = await listen({
    ...settings,
    empty,
    example,
    // The simulated gateways download their configuration from this machine.
    publicUrl: settings.publicUrl ?? (devices ? `http://${getLocalHost(host)}:${port}` : undefined),
  })
  await (empty ? example.start : example.add)(platform.app.db)
  clearInterval(heartbeat)

  console.log(`\n控制台  ${platform.urls.join('  ')}\n管理员  admin`)
  if (platform.adminPassword)
    console.log(`初始密码  ${platform.adminPassword}（首次登录须修改，只显示这一次）`)
  console.log(
    `设备接入  ${settings.mqttUrl ? broker : platform.mqttUrls.join('  ')}\n数据库  ${platform.app.database.about}\nCtrl-C 结束，数据保存在 ${data}`,
  )
  if (host === 'localhost')
    console.log('只有本机可以连接；要让其他机器连接，请加 --host 0.0.0.0（并先设好防火墙和 TLS）')

  let isEnding = false
  const closeAll = async () => {
    // The simulated lamps stay connected until the platform has closed, because they answer commands in flight.
    await platform.close()
    await example.stop()
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

/** Formats the address at which programs of this machine reach a server on `host`, for use in a URL. */
const getLocalHost = (host: string) => toUrlHost(toLocalAddress(host))

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
