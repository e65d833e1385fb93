import type { DeviceHistory, HistoryAsked } from '@iot/shared/contract/deviceHistory'
import { historyDaysMost, HistoryLine, historyMost } from '@iot/shared/contract/deviceHistory'
import type { Property, ThingModel } from '@iot/shared/contract/thingModel'
import { isNumberType, meanNumber, numberWords, valueWords } from '@iot/shared/contract/thingText'
import type { Db } from '../../core/db/db'
import { findTimeZone } from '../../core/db/timeZone'
import { wrongField } from '../../core/refusal'
import { sheetOf } from '../../core/tasks/sheet'
import { readHistory } from '../../device-access/history'
import type { Subject } from '../../device-access/subject'

const day = 24 * 3600_000

/**
 * Reads the history of a property.
 * @throws if the property does not exist, or the period is invalid, too long, or has too many points
 */
export async function historyOf(db: Db, device: Subject, model: ThingModel, asked: HistoryAsked) {
  const { identifier, step } = asked
  const property = model.properties.find((one) => one.identifier === identifier)
  if (!property) throw wrongField('identifier', '产品没有这个属性')
  const [from, to] = [Date.parse(asked.from), Date.parse(asked.to)]
  if (to <= from) throw wrongField('to', '结束时间须晚于开始时间')
  if (to - from > historyDaysMost * day)
    throw wrongField('from', `一次最多查看 ${historyDaysMost} 天`)
  if (step > 0 && (to - from) / 1000 / step > historyMost)
    throw wrongField('step', `一次最多 ${historyMost} 段，请加长间隔或缩短时间`)
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
  if (history.times.length > historyMost)
    throw wrongField('step', `这段时间的上报超过 ${historyMost} 次，请选择间隔或缩短时间`)
  return { property, history, timeZone }
}

/** Builds the sheet of an exported history; numbers carry no unit, because the column title contains it. */
export function fileOf(property: Property, history: DeviceHistory, timeZone: string) {
  const { times, counts, avg, min, max, last } = history
  const hasMean = avg.length > 0
  const { dataType, name } = property
  const text = (value: unknown, words = numberWords) =>
    isNumberType(dataType) && typeof value === 'number'
      ? words(dataType, value)
      : valueWords(dataType, value, timeZone)
  const lines = times.map((time, at) => ({
    id: String(time),
    time: new Date(time).toISOString(),
    ...(hasMean
      ? {
          value: text(avg[at], meanNumber),
          min: text(min[at]),
          max: text(max[at]),
          count: String(counts[at]),
        }
      : { value: text(last[at]), min: '', max: '', count: '' }),
  }))
  const unit = 'specs' in dataType && 'unit' in dataType.specs ? dataType.specs.unit : undefined
  const title = unit ? `${name}（${String(unit)}）` : name
  const columns = sheetOf(HistoryLine, {
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
