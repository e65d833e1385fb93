import { dayMs } from '@iot/shared/contract/duration'
import type { DeviceHistory, HistoryQuery } from '@iot/shared/contract/device/deviceHistory.schema'
import { maxHistoryDays, maxHistoryPoints } from '@iot/shared/contract/device/deviceHistory'
import { HistoryFileRow } from '@iot/shared/contract/device/deviceHistory.schema'
import type { Property, ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import {
  isNumberType,
  formatMean,
  formatNumber,
  formatValue,
} from '@iot/shared/contract/thingModel/thingText'
import type { Db } from '../../core/db/db'
import { findTimeZone } from '../../core/db/timeZone'
import { createFieldRefusal } from '../../core/refusal'
import { createSheetColumns } from '../../core/tasks/sheet'
import { readHistory } from '../../device-access/history/history'
import type { DeviceRef } from '../../device-access/deviceRef'

/**
 * Reads the history of a property.
 * @throws if the property does not exist, or the period is invalid, too long, or has too many points
 */
export async function readPropertyHistory(
  db: Db,
  device: DeviceRef,
  model: ThingModel,
  query: HistoryQuery,
) {
  const { identifier, step } = query
  const property = model.properties.find((candidate) => candidate.identifier === identifier)
  if (!property) throw createFieldRefusal('identifier', '产品没有这个属性')
  const [from, to] = [Date.parse(query.from), Date.parse(query.to)]
  if (to <= from) throw createFieldRefusal('to', '结束时间须晚于开始时间')
  if (to - from > maxHistoryDays * dayMs)
    throw createFieldRefusal('from', `一次最多查看 ${maxHistoryDays} 天`)
  if (step > 0 && (to - from) / 1000 / step > maxHistoryPoints)
    throw createFieldRefusal('step', `一次最多 ${maxHistoryPoints} 段，请加长间隔或缩短时间`)
  const { id, projectId } = device
  const timeZone = await findTimeZone(db, projectId)
  const history = await readHistory(db, {
    id,
    projectId,
    identifier,
    from,
    to,
    step,
    timeZone,
    isNumber: isNumberType(property.dataType),
  })
  if (history.times.length > maxHistoryPoints)
    throw createFieldRefusal(
      'step',
      `这段时间的上报超过 ${maxHistoryPoints} 次，请选择间隔或缩短时间`,
    )
  return { property, history, timeZone }
}

/** Builds the sheet of an exported history; numbers carry no unit, because the column title contains it. */
export function buildHistoryFile(property: Property, history: DeviceHistory, timeZone: string) {
  const { times, counts, avg, min, max, last } = history
  const hasMean = avg.length > 0
  const { dataType, name } = property
  const toCellText = (value: unknown, formatter = formatNumber) =>
    isNumberType(dataType) && typeof value === 'number'
      ? formatter(dataType, value)
      : formatValue(dataType, value, timeZone)
  const lines = times.map((time, index) => ({
    id: String(time),
    time: new Date(time).toISOString(),
    ...(hasMean
      ? {
          value: toCellText(avg[index], formatMean),
          min: toCellText(min[index]),
          max: toCellText(max[index]),
          count: String(counts[index]),
        }
      : { value: toCellText(last[index]), min: '', max: '', count: '' }),
  }))
  const unit = 'specs' in dataType && 'unit' in dataType.specs ? dataType.specs.unit : undefined
  const title = unit ? `${name}（${String(unit)}）` : name
  const columns = createSheetColumns(HistoryFileRow, {
    time: '',
    value: '',
    ...(hasMean && { min: '', max: '', count: '' }),
  }).map((column) => (column.name === 'value' ? { ...column, title } : column))
  return {
    sheet: columns,
    page: async ({ pageNo, pageSize }: { pageNo: number; pageSize: number }) => ({
      list: lines.slice((pageNo - 1) * pageSize, pageNo * pageSize),
      total: lines.length,
    }),
  }
}
