import { fieldOf, type ModelError, type Path, readModel, type ReadModel, unitOf } from './readModel'
import { itemsOf, type DataType, type Param, type ThingModel } from './thingModel'
import { readCell, type TableCell } from './sheetCell'
import { parsed } from './thingValue'
import type { TslExtra } from './tslExtra'
import { accessText, callText, eventText, kindText, typeText } from './thingText'

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
  '说明',
  '其他',
] as const
type Column = (typeof columns)[number]
type Cells = Partial<Record<Column, string>>
const numberColumns: Column[] = ['最小值', '最大值', '步长', '小数位', '长度', '元素个数']
const needed: Column[] = ['类别', '标识符', '名称', '数据类型']

const fileText = '文件'
const rowText = { inputData: '输入参数', outputData: '输出参数', member: '成员' }
const yes = (is: boolean) => (is ? '是' : '否')

/** Writes a model as a table: one row for each function, followed by rows of its parameters and members. */
export function modelTable(model: ThingModel): string[][] {
  const rows: Cells[] = []
  const typed = (cells: Cells, { identifier, name, dataType }: Param) => {
    rows.push({ ...cells, 标识符: identifier, 名称: name, ...typeCells(dataType) })
    for (const member of membersOf(dataType)) typed({ 类别: rowText.member }, member)
  }
  for (const one of model.properties)
    typed(
      {
        类别: kindText.properties,
        读写类型: accessText[one.accessMode],
        必选: yes(one.required),
        保存历史: yes(one.isHistory),
        实时监控: yes(one.isMonitor),
        说明: one.desc ?? '',
        其他: extraCell(one.extra),
      },
      one,
    )
  const params = (side: 'inputData' | 'outputData', list: Param[]) => {
    for (const one of list) typed({ 类别: rowText[side] }, one)
  }
  for (const one of model.services) {
    const { identifier: 标识符, name: 名称, desc: 说明 = '', extra } = one
    const facts = { 说明, 必选: yes(one.required), 其他: extraCell(extra) }
    const head = { 类别: kindText.services, 标识符, 名称, ...facts }
    rows.push({ ...head, 调用方式: callText[one.callType] })
    params('inputData', one.inputData)
    params('outputData', one.outputData)
  }
  for (const one of model.events) {
    const { identifier: 标识符, name: 名称, desc: 说明 = '', extra } = one
    const facts = { 说明, 必选: yes(one.required), 其他: extraCell(extra) }
    const head = { 类别: kindText.events, 标识符, 名称, ...facts }
    rows.push({ ...head, 事件类型: eventText[one.type] })
    params('outputData', one.outputData)
  }
  if (model.extra) rows.push({ 类别: fileText, 其他: extraCell(model.extra) })
  return [[...columns], ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
}

const extraCell = (extra: TslExtra) => (extra?.length ? JSON.stringify(extra) : '')
/** Invalid JSON is passed on, so that the model check reports it. */
const extraIn = (text: string) => (text === '' ? {} : { extra: parsed(text) ?? text })

function membersOf(dataType: DataType): Param[] {
  if (dataType.type === 'struct') return dataType.specs
  if (dataType.type === 'array') return membersOf(dataType.specs.item)
  return []
}

function typeCells(dataType: DataType): Cells {
  const head: Cells = { 数据类型: typeText[dataType.type] }
  switch (dataType.type) {
    case 'int':
    case 'float':
    case 'double': {
      const { min, max, step, unit, scale } = dataType.specs
      const text = (value?: number | string) => String(value ?? '')
      const numbers = { 最小值: text(min), 最大值: text(max), 步长: text(step) }
      return { ...head, ...numbers, 单位: text(unit), 小数位: text(scale) }
    }
    case 'bool':
    case 'enum':
    case 'bitmap': {
      const items = Object.entries(dataType.specs).map(
        ([value, word]) => `${value}=${quoted(word)}`,
      )
      return { ...head, 取值: items.join('；') }
    }
    case 'text':
      return { ...head, 长度: String(dataType.specs.length) }
    case 'date':
    case 'struct':
      return head
    case 'array': {
      const { size, item } = dataType.specs
      const { 数据类型: 元素类型, ...rest } = typeCells(item)
      return { ...rest, ...head, 元素类型, 元素个数: String(size) }
    }
  }
}

/** Spreadsheets need an apostrophe before cells that look like formulas, such as -1; it is removed here. */
const plain = (cell: string) => cell.trim().replace(/^'(?=[=+\-@])/, '')

type Typed = { dataType: Json; path: Path }
type Json = Record<string, unknown>

/** Maps a Chinese word to its code; unknown words are passed on, so that the model check reports them. */
const codeOf = (texts: Record<string, string>, word: string) =>
  Object.keys(texts).find((code) => texts[code] === word) ?? word

/** Reads the table that `modelTable` writes. */
export function readModelTable(table: TableCell[][]): ReadModel {
  const { texts, wrong } = textsOf(table)
  return wrong.length > 0 ? { errors: wrong } : readModelTexts(texts)
}

/** Returns the texts of all cells, or the errors of cells that cannot be read. */
function textsOf([head = [], ...body]: TableCell[][]) {
  const wrong: ModelError[] = []
  const titles = head.map((cell) => readCell(cell, 'text').text ?? '')
  const texts = body.map((row, at) =>
    row.map((cell, i) => {
      const title = titles[i]?.trim() ?? ''
      const isNumber = numberColumns.some((column) => column === title)
      const { text = '', wrong: reason } = readCell(cell, isNumber ? 'number' : 'text')
      if (reason && title) wrong.push({ place: `第 ${at + 2} 行`, field: title, reason })
      return text
    }),
  )
  return { texts: [titles, ...texts], wrong }
}

function readModelTexts([head = [], ...body]: string[][]): ReadModel {
  const places = new Map(head.map((title, at) => [title.trim(), at]))
  const missing = needed.filter((title) => !places.has(title))
  if (missing.length > 0)
    return {
      errors: [{ place: '表头', field: missing.join('、'), reason: '缺少列，请下载模板对照' }],
    }
  const lines = new Map<string, number>()
  const errors: ModelError[] = []
  const raw = { properties: [] as Json[], services: [] as Json[], events: [] as Json[] }
  let ofFile: { extra?: unknown } = {}
  let owner: { kind: keyof typeof raw; one: Json; path: Path } | undefined
  let last: Typed | undefined

  body.forEach((row, at) => {
    const line = at + 2
    const cell = (title: Column) => plain(row[places.get(title) ?? -1] ?? '')
    if (row.every((text) => text.trim() === '')) return
    const given = cell('类别')
    const wrong = (reason: string) => errors.push({ place: `第 ${line} 行`, field: '类别', reason })
    const param = () => ({ identifier: cell('标识符'), name: cell('名称'), dataType: typeIn(cell) })

    const kind = codeOf(kindText, given) as keyof typeof raw
    if (kind in raw) {
      const path = [kind, raw[kind].length]
      const one: Json = { ...param(), ...factsIn(kind, cell) }
      raw[kind].push(one)
      lines.set(path.join(), line)
      owner = { kind, one, path }
      last = kind === 'properties' ? { dataType: one.dataType as Json, path } : undefined
      return
    }
    if (given === rowText.inputData || given === rowText.outputData) {
      const side = given === rowText.inputData ? 'inputData' : 'outputData'
      if (
        !owner ||
        owner.kind === 'properties' ||
        (owner.kind === 'events' && side === 'inputData')
      )
        return wrong(`${given}要放在${side === 'inputData' ? '服务' : '服务或事件'}下面`)
      const list = owner.one[side] as Json[]
      const path = [...owner.path, side, list.length]
      const one = param()
      list.push(one)
      lines.set(path.join(), line)
      last = { dataType: one.dataType, path }
      return
    }
    if (given === fileText) {
      ofFile = extraIn(cell('其他'))
      return
    }
    if (given !== rowText.member) return wrong('只能是属性、服务、事件、输入参数、输出参数或成员')
    const members = last && membersIn(last)
    if (!members) return wrong('成员要放在结构体下面')
    lines.set([...members.path, members.list.length].join(), line)
    members.list.push(param())
  })
  if (errors.length > 0) return { errors }

  const placeOf = (path: Path) => {
    for (let length = path.length; length > 0; length--) {
      const line = lines.get(path.slice(0, length).join())
      if (line) return `第 ${line} 行`
    }
    return fieldOf(path)
  }
  return readModel({ ...raw, ...ofFile }, placeOf, '只能是“是”或“否”')
}

/** Returns the list that receives the members, with its path in the model. */
function membersIn({ dataType, path }: Typed) {
  const specs = dataType.specs as Json | Json[] | undefined
  if (Array.isArray(specs)) return { list: specs, path: [...path, 'dataType', 'specs'] }
  const item = dataType.type === 'array' && ((specs as Json).item as Json)
  if (item && Array.isArray(item.specs))
    return { list: item.specs as Json[], path: [...path, 'dataType', 'specs', 'item', 'specs'] }
  return undefined
}

type Read = (title: Column) => string
const said = (given: Record<string, string>) =>
  Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ''))
/** Other texts are passed on, so that the model check reports them. */
const isYes = (text: string, otherwise: boolean) =>
  text === '' ? otherwise : text === '是' ? true : text === '否' ? false : text

function factsIn(kind: 'properties' | 'services' | 'events', cell: Read): Json {
  const head = {
    required: isYes(cell('必选'), false),
    ...said({ desc: cell('说明') }),
    ...extraIn(cell('其他')),
  }
  if (kind === 'properties')
    return {
      ...head,
      accessMode: codeOf(accessText, cell('读写类型')),
      isHistory: isYes(cell('保存历史'), true),
      isMonitor: isYes(cell('实时监控'), true),
    }
  if (kind === 'events')
    return { ...head, type: codeOf(eventText, cell('事件类型')), outputData: [] }
  return {
    ...head,
    callType: codeOf(callText, cell('调用方式') || callText.async),
    inputData: [],
    outputData: [],
  }
}

function typeIn(cell: Read, title: '数据类型' | '元素类型' = '数据类型'): Json {
  const type = codeOf(typeText, cell(title))
  switch (type) {
    case 'int':
    case 'float':
    case 'double': {
      const numbers = { min: cell('最小值'), max: cell('最大值'), step: cell('步长') }
      return {
        type,
        specs: said({ ...numbers, unit: unitOf(cell('单位')), scale: cell('小数位') }),
      }
    }
    case 'bool':
    case 'enum':
    case 'bitmap':
      return { type, specs: itemsIn(cell('取值')) }
    case 'text':
      return { type, ...(cell('长度') && { specs: { length: cell('长度') } }) }
    case 'struct':
      return { type, specs: [] }
    case 'array':
      return {
        type,
        specs: {
          ...said({ size: cell('元素个数') }),
          // The model check refuses an array of arrays.
          item: title === '元素类型' ? { type } : typeIn(cell, '元素类型'),
        },
      }
    default:
      return { type }
  }
}

/** Many users separate values by a comma or a space; it ends a word if another value follows. */
const before = String.raw`[,，、\s]\s?(?=-?\d+\s*[=＝:：])`
/** Characters that would end a word or look like quotes around it. */
const needsQuotes = new RegExp(`[;；\\n"]|${before}`)
const quoted = (word: string) => (needsQuotes.test(word) ? `"${word.replaceAll('"', '""')}"` : word)
/** Quotes that were not required belong to the word itself. */
function unquoted(text: string) {
  const word = text.slice(1, -1).replaceAll('""', '"')
  return quoted(word) === text ? word : text
}

const end = String.raw`[;；\n]|${before}|$`
const word = String.raw`"(?:[^"]|"")*"\s*(?=${end})|(?:(?!${before})[^;；\n])*`
const item = new RegExp(String.raw`([^=＝:：;；\n]*)(?:[=＝:：]\s*(${word}))?(?:${end})`, 'g')
/** Reads “0=关闭；1=开启” with ASCII or full-width marks; a word that contains one of them is quoted. */
const itemsIn = (text: string) =>
  itemsOf(
    Array.from(text.matchAll(item))
      .filter(([whole]) => /[^\s;；]/.test(whole))
      .map(([, value = '', word = '']): [string, string] => [value.trim(), unquoted(word.trim())]),
  )
