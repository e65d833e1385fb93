import type { ThingModel, Param, DataType } from './thingModel.schema'
import { kindText, accessText, callText, eventText, typeText } from './thingText'
import type { TslExtra } from './tslExtra.schema'

const columns = [
  '类别',
  '标识符',
  '名称',
  '数据类型',
  '元素类型',
  '最小值',
  '最大值',
  '步长',
  '单位',
  '小数位',
  '取值',
  '长度',
  '元素个数',
  '读写类型',
  '调用方式',
  '事件类型',
  '必选',
  '保存历史',
  '实时监控',
  '弃用',
  '说明',
  '其他',
] as const
export type Column = (typeof columns)[number]
type RowCells = Partial<Record<Column, string>>

export const fileRowText = '文件'
export const partRowText = { inputData: '输入参数', outputData: '输出参数', member: '成员' }
const formatYesNo = (value: boolean) => (value ? '是' : '否')

/** Writes a model as a table: one row for each function, followed by rows of its parameters and members. */
export function toModelTable(model: ThingModel): string[][] {
  const rows: RowCells[] = []
  const addTypedRow = (cells: RowCells, { identifier, name, dataType }: Param) => {
    rows.push({ ...cells, 标识符: identifier, 名称: name, ...toTypeCells(dataType) })
    for (const member of getMembers(dataType)) addTypedRow({ 类别: partRowText.member }, member)
  }
  for (const property of model.properties)
    addTypedRow(
      {
        类别: kindText.properties,
        读写类型: accessText[property.accessMode],
        必选: formatYesNo(property.required),
        弃用: formatDeprecatedCell(property),
        保存历史: formatYesNo(property.isHistory),
        实时监控: formatYesNo(property.isMonitor),
        说明: property.desc ?? '',
        其他: formatExtraCell(property.extra),
      },
      property,
    )
  const addParamRows = (side: 'inputData' | 'outputData', list: Param[]) => {
    for (const param of list) addTypedRow({ 类别: partRowText[side] }, param)
  }
  for (const service of model.services) {
    const { identifier: 标识符, name: 名称, desc: 说明 = '', extra } = service
    const sharedCells = {
      说明,
      必选: formatYesNo(service.required),
      弃用: formatDeprecatedCell(service),
      其他: formatExtraCell(extra),
    }
    const headCells = { 类别: kindText.services, 标识符, 名称, ...sharedCells }
    rows.push({ ...headCells, 调用方式: callText[service.callType] })
    addParamRows('inputData', service.inputData)
    addParamRows('outputData', service.outputData)
  }
  for (const event of model.events) {
    const { identifier: 标识符, name: 名称, desc: 说明 = '', extra } = event
    const sharedCells = {
      说明,
      必选: formatYesNo(event.required),
      弃用: formatDeprecatedCell(event),
      其他: formatExtraCell(extra),
    }
    const headCells = { 类别: kindText.events, 标识符, 名称, ...sharedCells }
    rows.push({ ...headCells, 事件类型: eventText[event.type] })
    addParamRows('outputData', event.outputData)
  }
  if (model.extra) rows.push({ 类别: fileRowText, 其他: formatExtraCell(model.extra) })
  return [[...columns], ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
}

/** Most functions are in use, so that an empty cell keeps the exception visible. */
const formatDeprecatedCell = ({ isDeprecated }: { isDeprecated?: boolean }) =>
  isDeprecated ? formatYesNo(true) : ''
const formatExtraCell = (extra: TslExtra) => (extra?.length ? JSON.stringify(extra) : '')

function getMembers(dataType: DataType): Param[] {
  if (dataType.type === 'struct') return dataType.specs
  if (dataType.type === 'array') return getMembers(dataType.specs.item)
  return []
}

function toTypeCells(dataType: DataType): RowCells {
  const typeCell: RowCells = { 数据类型: typeText[dataType.type] }
  switch (dataType.type) {
    case 'int':
    case 'float':
    case 'double': {
      const { min, max, step, unit, scale } = dataType.specs
      const toText = (value?: number | string) => String(value ?? '')
      const numbers = { 最小值: toText(min), 最大值: toText(max), 步长: toText(step) }
      return { ...typeCell, ...numbers, 单位: toText(unit), 小数位: toText(scale) }
    }
    case 'bool':
    case 'enum':
    case 'bitmap': {
      const items = Object.entries(dataType.specs).map(
        ([value, word]) => `${value}=${quoteIfNeeded(word)}`,
      )
      return { ...typeCell, 取值: items.join('；') }
    }
    case 'text':
      return { ...typeCell, 长度: String(dataType.specs.length) }
    case 'date':
    case 'struct':
      return typeCell
    case 'array': {
      const { size, item } = dataType.specs
      const { 数据类型: 元素类型, ...rest } = toTypeCells(item)
      return { ...rest, ...typeCell, 元素类型, 元素个数: String(size) }
    }
  }
}

/** Many users separate values by a comma or a space; it ends a word if another value follows. */
export const separatorBeforeValue = String.raw`[,，、\s]\s?(?=-?\d+\s*[=＝:：])`
/** Characters that would end a word or look like quotes around it. */
const quoteTriggers = new RegExp(`[;；\\n"]|${separatorBeforeValue}`)
export const quoteIfNeeded = (word: string) =>
  quoteTriggers.test(word) ? `"${word.replaceAll('"', '""')}"` : word
