import {
  type Column,
  partRowText,
  fileRowText,
  quoteIfNeeded,
  separatorBeforeValue,
} from './modelSheet'
import { parseJson } from './thingValue'
import {
  type ModelPath,
  type ModelReadResult,
  type ModelError,
  getPathTitle,
  normalizeUnit,
} from './parseModel'
import type { TableCell } from '../sheet/sheetCell.schema'
import { readCell } from '../sheet/sheetCell'
import { kindText, accessText, eventText, callText, typeText } from './thingText'
import { parseModel } from './parseModel.schema'
import { toItems } from './thingModel'

const numberColumns: Column[] = ['最小值', '最大值', '步长', '小数位', '长度', '元素个数']
const requiredColumns: Column[] = ['类别', '标识符', '名称', '数据类型']
/** Invalid JSON is passed on, so that the model check reports it. */
const parseExtraCell = (text: string) => (text === '' ? {} : { extra: parseJson(text) ?? text })

/** Spreadsheets need an apostrophe before cells that look like formulas, such as -1; it is removed here. */
const cleanCell = (cell: string) => cell.trim().replace(/^'(?=[=+\-@])/, '')

type TypeTarget = { dataType: Json; path: ModelPath }
type Json = Record<string, unknown>

/** Maps a Chinese word to its code; unknown words are passed on, so that the model check reports them. */
const findCode = (texts: Record<string, string>, word: string) =>
  Object.keys(texts).find((code) => texts[code] === word) ?? word

/** Reads the table that `toModelTable` writes. */
export function parseModelTable(table: TableCell[][]): ModelReadResult {
  const { texts: cellTexts, wrong: cellErrors } = readCells(table)
  return cellErrors.length > 0 ? { errors: cellErrors } : parseModelTexts(cellTexts)
}

/** Returns the texts of all cells, or the errors of cells that cannot be read. */
function readCells([headerRow = [], ...body]: TableCell[][]) {
  const cellErrors: ModelError[] = []
  const columnTitles = headerRow.map((cell) => readCell(cell, 'text').text ?? '')
  const cellTexts = body.map((row, rowIndex) =>
    row.map((cell, i) => {
      const title = columnTitles[i]?.trim() ?? ''
      const isNumber = numberColumns.some((column) => column === title)
      const { text = '', wrong: reason } = readCell(cell, isNumber ? 'number' : 'text')
      if (reason && title) cellErrors.push({ place: `第 ${rowIndex + 2} 行`, field: title, reason })
      return text
    }),
  )
  return { texts: [columnTitles, ...cellTexts], wrong: cellErrors }
}

function parseModelTexts([headerRow = [], ...body]: string[][]): ModelReadResult {
  const columnIndexes = new Map(headerRow.map((title, index) => [title.trim(), index]))
  const missingColumns = requiredColumns.filter((title) => !columnIndexes.has(title))
  if (missingColumns.length > 0)
    return {
      errors: [
        { place: '表头', field: missingColumns.join('、'), reason: '缺少列，请下载模板对照' },
      ],
    }
  const lineByPath = new Map<string, number>()
  const errors: ModelError[] = []
  const rawModel = { properties: [] as Json[], services: [] as Json[], events: [] as Json[] }
  let fileExtra: { extra?: unknown } = {}
  let currentFunction: { kind: keyof typeof rawModel; one: Json; path: ModelPath } | undefined
  let lastType: TypeTarget | undefined

  body.forEach((row, rowIndex) => {
    const lineNumber = rowIndex + 2
    const cell = (title: Column) => cleanCell(row[columnIndexes.get(title) ?? -1] ?? '')
    if (row.every((text) => text.trim() === '')) return
    const rowKind = cell('类别')
    const addError = (reason: string) =>
      errors.push({ place: `第 ${lineNumber} 行`, field: '类别', reason })
    const readParam = () => ({
      identifier: cell('标识符'),
      name: cell('名称'),
      dataType: readType(cell),
    })

    const kind = findCode(kindText, rowKind) as keyof typeof rawModel
    if (kind in rawModel) {
      const path = [kind, rawModel[kind].length]
      const functionJson: Json = { ...readParam(), ...readFacts(kind, cell) }
      rawModel[kind].push(functionJson)
      lineByPath.set(path.join(), lineNumber)
      currentFunction = { kind, one: functionJson, path }
      lastType =
        kind === 'properties' ? { dataType: functionJson.dataType as Json, path } : undefined
      return
    }
    if (rowKind === partRowText.inputData || rowKind === partRowText.outputData) {
      const side = rowKind === partRowText.inputData ? 'inputData' : 'outputData'
      if (
        !currentFunction ||
        currentFunction.kind === 'properties' ||
        (currentFunction.kind === 'events' && side === 'inputData')
      )
        return addError(`${rowKind}要放在${side === 'inputData' ? '服务' : '服务或事件'}下面`)
      const list = currentFunction.one[side] as Json[]
      const path = [...currentFunction.path, side, list.length]
      const paramJson = readParam()
      list.push(paramJson)
      lineByPath.set(path.join(), lineNumber)
      lastType = { dataType: paramJson.dataType, path }
      return
    }
    if (rowKind === fileRowText) {
      fileExtra = parseExtraCell(cell('其他'))
      return
    }
    if (rowKind !== partRowText.member)
      return addError('只能是属性、服务、事件、输入参数、输出参数或成员')
    const memberList = lastType && findMemberList(lastType)
    if (!memberList) return addError('成员要放在结构体下面')
    lineByPath.set([...memberList.path, memberList.list.length].join(), lineNumber)
    memberList.list.push(readParam())
  })
  if (errors.length > 0) return { errors }

  const formatLine = (path: ModelPath) => {
    for (let length = path.length; length > 0; length--) {
      const lineNumber = lineByPath.get(path.slice(0, length).join())
      if (lineNumber) return `第 ${lineNumber} 行`
    }
    return getPathTitle(path)
  }
  return parseModel({ ...rawModel, ...fileExtra }, formatLine, '只能是“是”或“否”')
}

/** Returns the list that receives the members, with its path in the model. */
function findMemberList({ dataType, path }: TypeTarget) {
  const specs = dataType.specs as Json | Json[] | undefined
  if (Array.isArray(specs)) return { list: specs, path: [...path, 'dataType', 'specs'] }
  const itemType = dataType.type === 'array' && ((specs as Json).item as Json)
  if (itemType && Array.isArray(itemType.specs))
    return { list: itemType.specs as Json[], path: [...path, 'dataType', 'specs', 'item', 'specs'] }
  return undefined
}

type CellReader = (title: Column) => string
const omitEmpty = (facts: Record<string, string>) =>
  Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== ''))
/** Other texts are passed on, so that the model check reports them. */
const parseYesNo = (text: string, fallback: boolean) =>
  text === '' ? fallback : text === '是' ? true : text === '否' ? false : text

/** An empty cell is absent from the model, as in models stored before. */
const parseDeprecatedCell = (text: string) =>
  text === '' ? {} : { isDeprecated: parseYesNo(text, false) }

function readFacts(kind: 'properties' | 'services' | 'events', readCellText: CellReader): Json {
  const sharedFacts = {
    required: parseYesNo(readCellText('必选'), false),
    ...parseDeprecatedCell(readCellText('弃用')),
    ...omitEmpty({ desc: readCellText('说明') }),
    ...parseExtraCell(readCellText('其他')),
  }
  if (kind === 'properties')
    return {
      ...sharedFacts,
      accessMode: findCode(accessText, readCellText('读写类型')),
      isHistory: parseYesNo(readCellText('保存历史'), true),
      isMonitor: parseYesNo(readCellText('实时监控'), true),
    }
  if (kind === 'events')
    return { ...sharedFacts, type: findCode(eventText, readCellText('事件类型')), outputData: [] }
  return {
    ...sharedFacts,
    callType: findCode(callText, readCellText('调用方式') || callText.async),
    inputData: [],
    outputData: [],
  }
}

function readType(readCellText: CellReader, title: '数据类型' | '元素类型' = '数据类型'): Json {
  const type = findCode(typeText, readCellText(title))
  switch (type) {
    case 'int':
    case 'float':
    case 'double': {
      const rangeTexts = {
        min: readCellText('最小值'),
        max: readCellText('最大值'),
        step: readCellText('步长'),
      }
      return {
        type,
        specs: omitEmpty({
          ...rangeTexts,
          unit: normalizeUnit(readCellText('单位')),
          scale: readCellText('小数位'),
        }),
      }
    }
    case 'bool':
    case 'enum':
    case 'bitmap':
      return { type, specs: parseItems(readCellText('取值')) }
    case 'text':
      return { type, ...(readCellText('长度') && { specs: { length: readCellText('长度') } }) }
    case 'struct':
      return { type, specs: [] }
    case 'array':
      return {
        type,
        specs: {
          ...omitEmpty({ size: readCellText('元素个数') }),
          // The model check refuses an array of arrays.
          item: title === '元素类型' ? { type } : readType(readCellText, '元素类型'),
        },
      }
    default:
      return { type }
  }
}
/** Quotes that were not required belong to the word itself. */
function unquote(text: string) {
  const unquotedWord = text.slice(1, -1).replaceAll('""', '"')
  return quoteIfNeeded(unquotedWord) === text ? unquotedWord : text
}

const itemEnd = String.raw`[;；\n]|${separatorBeforeValue}|$`
const wordPattern = String.raw`"(?:[^"]|"")*"\s*(?=${itemEnd})|(?:(?!${separatorBeforeValue})[^;；\n])*`
const itemPattern = new RegExp(
  String.raw`([^=＝:：;；\n]*)(?:[=＝:：]\s*(${wordPattern}))?(?:${itemEnd})`,
  'g',
)
/** Reads “0=关闭；1=开启” with ASCII or full-width marks; a word that contains one of them is quoted. */
const parseItems = (text: string) =>
  toItems(
    Array.from(text.matchAll(itemPattern))
      .filter(([itemText]) => /[^\s;；]/.test(itemText))
      .map(([, value = '', word = '']): [string, string] => [value.trim(), unquote(word.trim())]),
  )
