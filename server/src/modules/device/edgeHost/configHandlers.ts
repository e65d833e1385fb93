import type { EdgeConfig, edgeHostSchemas } from '@iot/shared/contract/device/edgeHost.schema'
import type { FastifyInstance } from 'fastify'
import { createConflictRefusal, createRefusal, createFieldRefusal } from '../../../core/refusal'
import type { Handlers } from '../../../core/http/serve'
import { buildConfigFile } from '../../../device-access/commands/configFile'
import { toNamedDevice } from '../actions'
import type { DeviceRow } from '../queries'
import { assertOnline, entity, getVisibleHost, type EdgeHostQueries } from './actions'
import { edgeHostQueries } from './queries'

type ConfigHandlers = Pick<Handlers<typeof edgeHostSchemas>, 'config' | 'setConfig' | 'push'>

/** Handlers that read, save and push the configuration of an edge host. */
export function createConfigHandlers(
  app: FastifyInstance,
  answerTimeoutMs: number,
): ConfigHandlers {
  const queries = edgeHostQueries(app.db)

  return {
    config: async ({ id }, context) =>
      loadConfig(await getVisibleHost(id, context, queries), queries),
    async setConfig({ id, version, content }, context) {
      assertReadableConfig(content)
      return context.write(edgeHostQueries, async (rows, recordAudit) => {
        const row = await getVisibleHost(id, context, rows)
        const actor = context.user.username
        if (!(await rows.saveConfigVersion(row, version, content, actor)))
          throw createConflictRefusal(await loadConfig(row, rows))
        // The configuration may contain secrets, so the audit log records only its version.
        recordAudit({
          entity,
          id,
          name: row.name,
          before: { 配置版本: version || '' },
          after: { 配置版本: version + 1 },
        })
        return loadConfig(row, rows)
      })
    },
    async push({ id }, context) {
      const row = await getVisibleHost(id, context, queries)
      const { publicUrl } = app.settings
      if (!publicUrl) throw createRefusal('平台没有设置 PUBLIC_URL，设备取不到配置')
      const { productKey, deviceName } = await toNamedDevice(row, queries)
      const namedHost = { ...row, productKey, deviceName }
      const { configVersion = 0 } = (await queries.findSettings(row)) ?? {}
      if (configVersion === 0) throw createRefusal('还没有配置，先填写配置再推送')
      assertOnline(row, '推送配置')
      context.recordChange({ entity, id, name: row.name, after: { 推送配置版本: configVersion } })
      const file = await buildConfigFile(app.db, namedHost, publicUrl)
      context.assertBeforeDeadline()
      const reply = await app.devices.commands
        .ask(namedHost, 'thing/config/push', file, answerTimeoutMs)
        .catch((error: Error) => ({ code: 0, message: error.message }))
      const { code, message = '' } = reply
      const isAccepted = code === 200
      const failureReason = code === 0 ? message : `主机返回 ${code} ${message}`.trim()
      await queries.saveSettings(row, {
        pushTime: new Date().toISOString(),
        pushFailure: isAccepted ? '' : failureReason,
      })
      if (!isAccepted) throw createRefusal(`配置没有推送成功：${failureReason}`)
      return { code, message }
    },
  }
}

async function loadConfig(row: DeviceRow, rows: EdgeHostQueries): Promise<EdgeConfig> {
  const hostSettings = await rows.findSettings(row)
  const { configVersion = 0, content = '', configBy = '' } = hostSettings ?? {}
  return { id: row.id, version: configVersion, content, updateBy: configBy }
}

/** Content that begins like JSON must be valid JSON; other formats are not checked. */
function assertReadableConfig(content: string) {
  if (!/^\s*[[{]/.test(content)) return
  try {
    JSON.parse(content)
  } catch (error) {
    throw createFieldRefusal(
      'content',
      `配置内容不是正确的 JSON：${formatErrorLine((error as Error).message, content)}`,
    )
  }
}

function formatErrorLine(message: string, content: string) {
  const position = /position (\d+)/.exec(message)?.[1]
  const textBefore = content.slice(0, position === undefined ? content.length : Number(position))
  return `第 ${textBefore.split('\n').length} 行`
}
