import { createHash } from 'node:crypto'
import type { Values } from '@iot/shared/contract/device'
import type { Answering, EdgeClient, Triple } from 'server/src/device-access/edgeClient'
import { z } from 'zod'

const File = z.object({ configId: z.string(), sign: z.string(), url: z.url() })
/** A gateway is offline for this many milliseconds during a restart. */
const restarts = 3000

/** Simulates an edge gateway itself: resource usage, firmware, configuration and restarts. */
export function openHost(client: EdgeClient, edge: Triple, random: () => number) {
  let timer: NodeJS.Timeout | undefined
  const values: Values = { CpuUsage: 18, MemoryUsage: 42, DiskUsage: 40 }
  const drift = (name: string, step: number, min: number, max: number) => {
    const moved = Number(values[name]) + (random() - 0.5) * step
    values[name] = Math.round(Math.min(max, Math.max(min, moved)))
  }
  function beat() {
    drift('CpuUsage', 12, 6, 60)
    drift('MemoryUsage', 4, 35, 70)
    drift('DiskUsage', 1, 30, 60)
    client.post(edge, values)
  }

  /**
   * Accepts a configuration file whose hash matches and that can be parsed.
   * @returns the reason of a refusal, or undefined
   */
  async function apply(given: unknown) {
    const { data } = File.safeParse(given)
    if (!data) return '配置消息不完整'
    const content = await fetch(data.url).then(
      (answer) => answer.text(),
      () => undefined,
    )
    if (content === undefined) return '取不到配置文件'
    if (createHash('sha256').update(content).digest('hex') !== data.sign) return '配置文件校验失败'
    if (!isJson(content)) return '只接受 JSON 配置'
    client.tell('inform', { module: 'config', version: data.configId })
    return undefined
  }
  async function take(given: unknown, reply: Answering['reply']) {
    const why = await apply(given)
    if (!why) return reply(200)
    client.tell('progress', { module: 'config', step: '-4', desc: why })
    reply(460, why)
  }

  async function start() {
    client.tell('inform', { version: '2.4.1' })
    await client.ask('thing/deviceinfo/update', [{ attrKey: 'OS', attrValue: 'Debian 12.8' }])
    const { code, data } = await client.ask('thing/config/get', {
      configScope: 'product',
      getType: 'file',
    })
    if (code === 200) await apply(data)
  }
  void start()

  return {
    beat,
    asked(action: string, params: unknown, reply: Answering['reply']) {
      if (action === 'thing/config/push') return void take(params, reply)
      if (action !== 'thing/service/Restart') return
      reply(200)
      timer = setTimeout(() => void start().then(beat), restarts)
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
