import { createHash } from 'node:crypto'
import type { Values } from '@iot/shared/contract/device/device.schema'
import type {
  CommandResponder,
  EdgeClient,
  DeviceTriple,
} from 'server/src/device-access/protocol/edgeClient'
import { z } from 'zod'

const ConfigFile = z.object({ configId: z.string(), sign: z.string(), url: z.url() })
/** A gateway is offline for this many milliseconds during a restart. */
const restartMs = 3000

/** Simulates an edge gateway itself: resource usage, firmware, configuration and restarts. */
export function startEdgeHost(client: EdgeClient, edge: DeviceTriple, random: () => number) {
  let timer: NodeJS.Timeout | undefined
  const values: Values = { CpuUsage: 18, MemoryUsage: 42, DiskUsage: 40 }
  const driftValue = (name: string, step: number, min: number, max: number) => {
    const nextValue = Number(values[name]) + (random() - 0.5) * step
    values[name] = Math.round(Math.min(max, Math.max(min, nextValue)))
  }
  function reportUsage() {
    driftValue('CpuUsage', 12, 6, 60)
    driftValue('MemoryUsage', 4, 35, 70)
    driftValue('DiskUsage', 1, 30, 60)
    client.post(edge, values)
  }

  /**
   * Accepts a configuration file whose hash matches and that can be parsed.
   * @returns the reason of a refusal, or undefined
   */
  async function applyConfig(payload: unknown) {
    const { data } = ConfigFile.safeParse(payload)
    if (!data) return '配置消息不完整'
    const content = await fetch(data.url).then(
      (answer) => answer.text(),
      () => undefined,
    )
    if (content === undefined) return '取不到配置文件'
    if (createHash('sha256').update(content).digest('hex') !== data.sign) return '配置文件校验失败'
    if (!isJson(content)) return '只接受 JSON 配置'
    client.reportFirmware('inform', { module: 'config', version: data.configId })
    return undefined
  }
  async function handleConfigPush(payload: unknown, reply: CommandResponder['reply']) {
    const reason = await applyConfig(payload)
    if (!reason) return reply(200)
    client.reportFirmware('progress', { module: 'config', step: '-4', desc: reason })
    reply(460, reason)
  }

  async function reportStart() {
    client.reportFirmware('inform', { version: '2.4.1' })
    await client.ask('thing/deviceinfo/update', [{ attrKey: 'OS', attrValue: 'Debian 12.8' }])
    const { code, data } = await client.ask('thing/config/get', {
      configScope: 'product',
      getType: 'file',
    })
    if (code === 200) await applyConfig(data)
  }
  reportStart().catch(console.error)

  return {
    beat: reportUsage,
    handleRequest(action: string, params: unknown, reply: CommandResponder['reply']) {
      if (action === 'thing/config/push')
        return void handleConfigPush(params, reply).catch(console.error)
      if (action !== 'thing/service/Restart') return
      reply(200)
      timer = setTimeout(() => void reportStart().then(reportUsage).catch(console.error), restartMs)
    },
    close: () => clearTimeout(timer),
  }
}

function isJson(content: string) {
  try {
    JSON.parse(content)
    return true
  } catch {
    return false
  }
}
