import { notificationChannelApi as api } from '@iot/shared/contract/alarm/notificationChannel.api'
import {
  channelKindText,
  smtpSecurityText,
  type ChannelKind,
  type SmtpSecurity,
} from '@iot/shared/contract/alarm/notificationChannel'
import {
  NotificationChannel,
  notificationChannelSchemas as schemas,
} from '@iot/shared/contract/alarm/notificationChannel.schema'
import { statusText } from '@iot/shared/contract/fields'
import type { Status } from '@iot/shared/contract/fields.schema'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { createChangeDescriber } from '../../core/http/actionLog'
import { createBulkHandlers } from '../../core/http/bulkHandlers'
import { serve } from '../../core/http/serve'
import { createUpdateHandlers } from '../../core/http/updateHandlers'
import { createRefusal, requireRow } from '../../core/refusal'
import { notificationChannel as table } from '../../tables/notification'
import { notificationChannelQueries, openSecrets, mergeSecrets } from './channelQueries'
import { assertChannelUsable } from './channelPolicy'
import type { NotificationService } from './service'
import { outboxQueries } from './outboxQueries'
import { buildSampleMessage } from './sampleMessage'
import { sendMessage } from './sendMessage'
import { sendToPages, type PageAddress } from './sendToPages'

const title = '通知渠道'
const AuditedChannel = NotificationChannel.pick({
  name: true,
  kind: true,
  status: true,
  perMinute: true,
  template: true,
  urlHint: true,
  hasSecret: true,
  hasPassword: true,
  smtpHost: true,
  smtpPort: true,
  smtpSecurity: true,
  smtpUser: true,
  smtpCa: true,
  sender: true,
  senderName: true,
  recipients: true,
})
/** A test is shown to the one who pressed it, not to the people of the channel. */
const toOwnPages = (key: string, userId: string): PageAddress => ({
  key,
  projectId: null,
  roleIds: [],
  userId,
})
const describeBoolean = (value: unknown) => (value ? '有' : '无')
const toAuditEntry = createChangeDescriber(title, AuditedChannel, {
  kind: (kind) => channelKindText[kind as ChannelKind],
  status: (status) => statusText[status as Status],
  smtpSecurity: (security) => smtpSecurityText[security as SmtpSecurity],
  hasSecret: describeBoolean,
  hasPassword: describeBoolean,
  recipients: (recipients) => (recipients as string[]).join('、'),
})

export function notificationChannelRoutes(
  app: FastifyInstance,
  { box, targets, pages }: NotificationService,
) {
  const createQueries = (db: Db) => notificationChannelQueries(db, box)
  const queries = createQueries(app.db)
  app.uniques.add('notificationChannel', table, NotificationChannel, api.page)

  const { create, update } = createUpdateHandlers(schemas, {
    title,
    table,
    createQueries,
    about: toAuditEntry,
    check: (draft, rows, previousRow) => {
      const kind = previousRow?.kind ?? (draft as { kind: ChannelKind }).kind
      const storedSecrets = previousRow ? rows.readSecrets(previousRow) : undefined
      return assertChannelUsable({ ...draft, kind }, mergeSecrets(draft, storedSecrets), targets)
    },
    answer: async (row, rows) => (await rows.addQueues([row]))[0]!,
  })

  serve(app, api, schemas, {
    ...createBulkHandlers(app, {
      name: 'notificationChannel',
      title,
      createQueries,
      about: toAuditEntry,
    }),
    create,
    update,
    async page(query) {
      const { list, ...count } = await queries.page(query)
      return { ...count, list: await queries.addQueues(list) }
    },
    list: () => queries.listOptions(),
    async test({ id }, context) {
      const channel = requireRow(await queries.get(id), title)
      const outbox = outboxQueries(app.db)
      const budget = await outbox.readBudget(channel.targetKey, channel.perMinute)
      if (budget.remainingCount <= 0)
        throw createRefusal(`一分钟内已发 ${channel.perMinute} 条，请稍后再试`)
      context.recordChange({ entity: title, id, name: channel.name })
      const message = buildSampleMessage(uuidv7())
      const { verdict, ...outcome } = await (channel.kind === 'browser'
        ? sendToPages(pages, message, [toOwnPages(message.id, context.user.id)])
        : sendMessage(channel, openSecrets(box, channel), message, {
            publicUrl: app.settings.publicUrl,
            targets,
            recipients: channel.recipients,
          }))
      const isSuccess = verdict === 'sent'
      await outbox.recordTest(channel, message, { ...outcome, isSuccess })
      const hasLink = channel.kind === 'browser' || app.settings.publicUrl
      const hint = hasLink ? '' : '平台没有设置 PUBLIC_URL，消息里没有链接'
      return { ...outcome, isSuccess, hint }
    },
  })
}
