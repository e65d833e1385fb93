import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listen } from 'server/src/listen'
import { build } from './build'
import { seedBuilding } from './simulate-building/seed'
import { readEdges, simulateBuilding } from './simulate-building/simulate'

export type StartOptions = { port: number; mqttPort: number; data: string; empty: boolean; devices: boolean }

const help = `npm start -- [--port 8080] [--mqtt-port 1883] [--data .data] [--empty] [--no-devices]
  --empty        不带示例楼宇
  --no-devices   不启动模拟设备
  ADMIN_PASSWORD 环境变量：首次启动时的管理员密码，不再要求修改`

/** Builds what changed, then runs the platform and the simulated building until Ctrl-C. */
export default async function start(args: string[]) {
  try {
    const options = read(args)
    await Promise.all([writable(options.data), free(options.port, '--port'), free(options.mqttPort, '--mqtt-port')])
    const site = await build({ site: resolve(options.data, 'site') })
    await run(options, site)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

async function run({ port, mqttPort, data, empty, devices }: StartOptions, site: string) {
  const { ADMIN_PASSWORD: adminPassword, DATABASE_URL: databaseUrl, MQTT_URL: mqttUrl, MQTT_HOOK_SECRET: mqttHookSecret } = process.env
  const platform = await listen({ port, host: '0.0.0.0', mqttPort, mqttUrl, mqttHookSecret, data, databaseUrl, adminPassword, empty, site: { folder: site } })
  if (!empty) await seedBuilding(platform.app.db)
  const building = devices ? await simulateBuilding(mqttUrl ?? `mqtt://127.0.0.1:${mqttPort}`, await readEdges(platform.app.db)) : undefined

  console.log(`\n控制台  ${platform.url}\n管理员  admin`)
  if (platform.adminPassword) console.log(`初始密码  ${platform.adminPassword}（首次登录须修改，只显示这一次）`)
  console.log(`设备接入  mqtt://localhost:${mqttPort}\nCtrl-C 结束，数据保存在 ${data}`)

  let ending = false
  const end = async () => {
    if (ending) process.exit(130)
    ending = true
    await building?.close()
    await platform.close()
    process.exit(0)
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
}

class StartError extends Error {}

function read(args: string[]): StartOptions {
  let values
  try {
    values = parseArgs({
      args,
      allowNegative: true,
      options: {
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
  return { port: portOf(values.port, '--port'), mqttPort: portOf(values['mqtt-port'], '--mqtt-port'), data: resolve(values.data), empty: values.empty, devices: values.devices }
}

function portOf(text: string, flag: string) {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new StartError(`${flag} 须是 1 到 65535 的整数，收到的是 ${text}`)
  return port
}

async function writable(folder: string) {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch {
    throw new StartError(`数据目录不可写：${folder}（用 --data 换一个）`)
  }
}

/** Asked before the build, so that a taken port is known at once. */
const free = (port: number, flag: string) =>
  new Promise<void>((done, refuse) => {
    const probe = createServer()
    probe.once('error', () => refuse(new StartError(`端口 ${port} 已被占用（用 ${flag} 换一个）`)))
    probe.listen(port, () => probe.close(() => done()))
  })
