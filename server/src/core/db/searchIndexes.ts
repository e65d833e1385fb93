import { blankCharacters, narrowCharacters, wideCharacters } from '@iot/shared/contract/text'
import { getTableName, sql, type SQL } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { actionLog } from '../../tables/actionLog'
import { alarmIncident, alarmRule } from '../../tables/alarm'
import { brand } from '../../tables/brand'
import { communicationProtocol } from '../../tables/communicationProtocol'
import { connectionRefusal } from '../../tables/connectionRefusal'
import { controlType } from '../../tables/controlType'
import { errorLog } from '../../tables/errorLog'
import { icon } from '../../tables/icon'
import { device, product } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { loginLog } from '../../tables/loginLog'
import { mapEngineering } from '../../tables/mapEngineering'
import { manufacturer } from '../../tables/manufacturer'
import {
  notificationChannel,
  notificationDelivery,
  notificationPolicy,
} from '../../tables/notification'
import { productType } from '../../tables/productType'
import { project } from '../../tables/project'
import { registrationRecord } from '../../tables/registration'
import { user } from '../../tables/user'
import type { Db } from './db'
import { isOutage } from './outage'
import { log } from '../logging/log'

/** Columns that can be searched for a part of their text; `contains` in `rows.ts` refuses others. */
export const searchableColumns: ReadonlySet<PgColumn> = new Set([
  actionLog.username,
  alarmIncident.title,
  alarmRule.name,
  brand.name,
  brand.englishName,
  communicationProtocol.name,
  communicationProtocol.code,
  connectionRefusal.deviceName,
  connectionRefusal.productKey,
  connectionRefusal.clientId,
  connectionRefusal.address,
  controlType.name,
  controlType.code,
  errorLog.message,
  icon.name,
  icon.code,
  loginLog.username,
  loginLog.address,
  mapEngineering.name,
  manufacturer.name,
  manufacturer.shortName,
  manufacturer.code,
  notificationChannel.name,
  notificationDelivery.channelName,
  notificationPolicy.name,
  productType.name,
  productType.code,
  device.name,
  device.deviceName,
  device.address,
  deviceGroup.name,
  product.name,
  product.modelNo,
  product.productKey,
  project.name,
  project.code,
  registrationRecord.deviceName,
  user.username,
  user.name,
  user.phone,
])

const quoteSql = (text: string) => `'${text.replaceAll("'", "''")}'`
/**
 * Replaces full-width letters, digits and marks by narrow ones and removes blanks, because `translate` removes what has
 * no counterpart. The characters are written into the SQL text exactly as in the index, because PostgreSQL does not
 * match an index expression against parameters.
 */
export const compactColumn = (column: PgColumn | SQL) =>
  sql`translate(${column}, ${sql.raw(quoteSql(wideCharacters + blankCharacters))}, ${sql.raw(quoteSql(narrowCharacters))})`

const describeIndex = ({ table, name }: PgColumn) => {
  const tableName = getTableName(table)
  const column = toSnakeCase(name)
  return { name: `${tableName}_${column}_compact_search`, of: tableName, column }
}

/**
 * Creates the missing trigram indexes of the searched columns. They are not part of the migrations because an engine
 * may lack the extension; a search then reads every row, and the indexes are created at the first start after the
 * extension was installed.
 */
export async function createSearchIndexes(db: Db) {
  const requiredIndexes = [...searchableColumns].map(describeIndex)
  const { rows } = await db.execute<{ name: string }>(
    sql`select indexname as name from pg_indexes where indexname like '%\\_search'`,
  )
  // The indexes of former versions compared the text as it is stored, or with its blanks.
  const formerNames = new Set(
    requiredIndexes.flatMap(({ of: indexedTable, column }) =>
      ['search', 'narrow_search'].map((suffix) => `${indexedTable}_${column}_${suffix}`),
    ),
  )
  for (const { name } of rows)
    if (formerNames.has(name)) await db.execute(sql`drop index if exists ${sql.identifier(name)}`)
  const missingIndexes = requiredIndexes.filter(
    ({ name }) => !rows.some((row) => row.name === name),
  )
  if (missingIndexes.length === 0) return
  try {
    await db.execute(sql`create extension if not exists pg_trgm`)
  } catch (error) {
    if (isOutage(error)) throw error
    return log.warn({ module: 'database' }, '数据库没有 pg_trgm 扩展：记录很多时，按文字搜索较慢')
  }
  for (const { name, of: tableName, column } of missingIndexes)
    await db.transaction(async (tx) => {
      // The statement timeout is lifted, because building an index over millions of rows takes longer.
      await tx.execute(sql`set local statement_timeout = 0`)
      await tx.execute(
        sql`create index if not exists ${sql.identifier(name)} on ${sql.identifier(tableName)} using gin (${compactColumn(sql`${sql.identifier(column)}`)} gin_trgm_ops)`,
      )
    })
}
