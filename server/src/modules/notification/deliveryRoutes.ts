import { notificationDeliveryApi as api } from '@iot/shared/contract/alarm/notificationDelivery.api'
import { notificationDeliverySchemas as schemas } from '@iot/shared/contract/alarm/notificationDelivery.schema'
import { and, eq, getTableColumns, gte, isNull, lte } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { readPage } from '../../core/db/page'
import { buildOrderBy, contains, whereEquals } from '../../core/db/rows'
import { serve } from '../../core/http/serve'
import { notificationChannel, notificationDelivery as table } from '../../tables/notification'

export function notificationDeliveryRoutes(app: FastifyInstance) {
  serve(app, api, schemas, {
    page({ channelId, channelName, kind, result, from, to, sort, ...page }) {
      const where = and(
        whereEquals(table.channelId, channelId),
        contains(table.channelName, channelName),
        whereEquals(table.kind, kind),
        result ? eq(table.isSuccess, result === 'success') : undefined,
        from ? gte(table.time, from) : undefined,
        to ? lte(table.time, to) : undefined,
      )
      return readPage(app.db, table, where, page, ({ limit, offset }) =>
        app.db
          .select({
            ...getTableColumns(table),
            isChannelRemoved: isNull(notificationChannel.id).mapWith(Boolean),
          })
          .from(table)
          .leftJoin(notificationChannel, eq(notificationChannel.id, table.channelId))
          .where(where)
          .orderBy(...buildOrderBy({ id: table.id, time: table.time }, sort, '-time'))
          .limit(limit)
          .offset(offset),
      )
    },
  })
}
