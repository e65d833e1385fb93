import { isObject, listOf, type Json } from './json'
import { type ModelError, type Path, readModel, type ReadModel, unitOf } from './readModel'
import { functionKinds, repeatedName, ThingModel, type DataType, type Param } from './thingModel'
import { kindText } from './thingText'
import { parsed } from './thingValue'
import { fromStored, isStored } from './tslStored'
import { findExtra, withExtra } from './tslExtra'
import { units } from './units'

/** Every TSL file contains `set`, `get` and `post`, which belong to the protocol and not to the model. */
const isBuiltIn = (one: unknown) =>
  isObject(one) && /^thing\.(service|event)\.property\.(set|get|post)$/.test(String(one.method))

/** Reads an Alibaba TSL file or a model in Alibaba's storage format. */
export function readTsl(text: string): ReadModel {
  let file: unknown
  try {
    file = JSON.parse(withRepeated(text))
  } catch {
    return { errors: [{ place: '文件', field: '', reason: '不是 JSON 文件' }] }
  }
  if (!isObject(file) || !['properties', 'services', 'events'].some((kind) => kind in file))
    return { errors: [{ place: '文件', field: '', reason: '没有属性、服务或事件，不是 TSL 文件' }] }
  const blocks = listOf(file.functionBlocks).filter(isObject)
  if (blocks.length > 0) {
    const names = blocks.map(({ name, functionBlockName, identifier }) =>
      String(name ?? functionBlockName ?? identifier ?? ''),
    )
    const reason = `只有默认模块的功能能导入，请先把“${names.join('、').slice(0, 100)}”的功能并入默认模块`
    return { errors: [{ place: '文件', field: '自定义模块', reason }] }
  }
  const functions = ['properties', 'services', 'events'].flatMap((kind) => listOf(file[kind]))
  if (functions.length > 0 && !functions.some((one) => isObject(one) && 'identifier' in one))
    return {
      errors: [
        {
          place: '文件',
          field: '标识符',
          reason: '所有功能都没有 identifier，不是 TSL 文件；可以下载模板，改用表格导入',
        },
      ],
    }
  const tsl = isStored(file) ? fromStored(file) : file
  const { properties, services, events } = tsl
  const own = (list: unknown) =>
    Array.isArray(list) ? list.filter((one) => !isBuiltIn(one)) : (list ?? [])
  const given = { properties: properties ?? [], services: own(services), events: own(events) }
  const raw = withOwnTypes(given) as Json
  const read = readModel(raw, (path) => placeIn(raw, path), '只能是 true 或 false')
  return read.errors ? read : keepExtra(read.model, { ...tsl, ...given })
}

/** Adds the facts of the file that the model does not cover; contradictions to the model are refused. */
function keepExtra(model: ThingModel, file: Json): ReadModel {
  const made = toTsl(model, { productKey: '' })
  const errors: ModelError[] = []
  const kept = { ...model }
  for (const kind of functionKinds) {
    const all = listOf(made[kind])
    kept[kind] = model[kind].map((one, at) => {
      const written = all.find((other) => isObject(other) && other.identifier === one.identifier)
      const { extra, wrongMethod } = findExtra(listOf(file[kind])[at], written)
      if (wrongMethod)
        errors.push({
          place: `第 ${at + 1} 个${kindText[kind]} ${one.identifier}`,
          field: 'method',
          reason: `“${wrongMethod.given}”不能保留，只能是 ${wrongMethod.expected}`,
        })
      return extra.length > 0 ? { ...one, extra } : one
    }) as never
  }
  const { properties, services, events, functionBlocks, link, productKey, profile, ...rest } = file
  const { productKey: _, deviceName, ...ofProfile } = isObject(profile) ? profile : {}
  const { schema } = made
  const { extra } = findExtra({ ...rest, profile: ofProfile }, { schema, profile: {} })
  if (extra.length > 0) kept.extra = extra
  const parsedModel = ThingModel.safeParse(kept)
  const issue = parsedModel.error?.issues[0]
  if (issue)
    errors.push({
      place: placeIn(kept as Json, issue.path.slice(0, 2)),
      field: '其他',
      reason: issue.message,
    })
  return errors.length > 0 ? { errors } : { model: kept }
}

/**
 * Renames repeated number keys within a JSON object, because parsing would silently keep the last one. Such keys are
 * the values of an enum, a switch or a bitmap.
 */
function withRepeated(text: string) {
  const open: Set<string>[] = []
  return text.replace(
    /[{}]|"(?:[^"\\]|\\.)*"(\s*:)?/g,
    (part: string, colon: string | undefined) => {
      if (part === '{') open.push(new Set())
      if (part === '}') open.pop()
      const [, value] = (colon && /^"(-?\d+)"/.exec(part)) || []
      const known = open.at(-1)
      if (value === undefined || !known) return part
      if (!known.has(value)) {
        known.add(value)
        return part
      }
      return `${JSON.stringify(repeatedName(value))}:`
    },
  )
}

const partText: Record<string, string> = {
  inputData: '输入参数',
  outputData: '输出参数',
  specs: '成员',
}
/** Names a place such as “第 2 个属性 Brightness”, followed by the parameter or member. */
function placeIn(raw: Json, path: Path) {
  const [kind, at] = path as [keyof typeof kindText, number]
  if (typeof at !== 'number') return kindText[kind] ?? '文件'
  const words: string[] = []
  let here: unknown = raw
  for (const [depth, part] of path.entries()) {
    here = isObject(here) ? here[String(part)] : listOf(here)[Number(part)]
    if (typeof part !== 'number') continue
    const place =
      depth === 1
        ? `第 ${part + 1} 个${kindText[kind]}`
        : `${partText[String(path[depth - 1])]} ${part + 1}`
    const named = isObject(here) && typeof here.identifier === 'string' && here.identifier
    words.push(named ? `${place} ${named.slice(0, 64)}` : place)
  }
  return words.join('，')
}

/** Type facts that many files write as empty text if they are not set. */
const maybeEmpty = new Set(['min', 'max', 'step', 'unit', 'scale', 'length', 'size'])

/**
 * Normalises all types recursively: units as in the dictionary, integers with named bits as bitmaps, parsed specs, and
 * no empty facts.
 */
function withOwnTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOwnTypes)
  if (!isObject(value)) return value
  const specs = typeof value.specs === 'string' ? (parsed(value.specs) ?? value.specs) : value.specs
  if (value.type === 'int' && isObject(specs) && isObject(specs.bits))
    return { ...value, type: 'bitmap', specs: specs.bits }
  const said = Object.entries({ ...value, ...('specs' in value && { specs }) })
    .filter(([name, part]) => part !== null && !(part === '' && maybeEmpty.has(name)))
    .map(([name, part]) => [
      name,
      name === 'unit' && typeof part === 'string' ? unitOf(part) : withOwnTypes(part),
    ])
  const own = Object.fromEntries(said) as Json
  // A text type without a length takes the default of the model.
  if (own.type === 'text' && isObject(own.specs) && !('length' in own.specs)) delete own.specs
  return own
}

/**
 * Writes a model as an Alibaba TSL file. Facts that TSL does not define are written under the platform's own names, if
 * they are set.
 */
export function toTsl(model: ThingModel, { productKey }: { productKey: string }): Json {
  const param = ({ identifier, name, dataType }: Param) => ({
    identifier,
    name,
    dataType: writeType(dataType),
  })
  const read = model.properties.filter(({ accessMode }) => accessMode !== 'w')
  const written = model.properties.filter(({ accessMode }) => accessMode !== 'r')
  const whole = {
    schema: 'https://iotx-tsl.oss-ap-southeast-1.aliyuncs.com/schema.json',
    profile: { productKey },
    properties: model.properties.map(({ dataType, isHistory, isMonitor, extra, ...one }) =>
      withExtra(
        {
          ...one,
          dataType: writeType(dataType),
          ...(!isHistory && { isHistory }),
          ...(!isMonitor && { isMonitor }),
        },
        extra,
      ),
    ),
    events: [
      {
        identifier: 'post',
        name: 'post',
        type: 'info',
        required: true,
        desc: '属性上报',
        method: 'thing.event.property.post',
        outputData: read.map(param),
      },
      ...model.events.map(({ outputData, extra, ...one }) =>
        withExtra(
          {
            ...one,
            method: `thing.event.${one.identifier}.post`,
            outputData: outputData.map(param),
          },
          extra,
        ),
      ),
    ],
    services: [
      {
        identifier: 'set',
        name: 'set',
        required: true,
        callType: 'async',
        desc: '属性设置',
        method: 'thing.service.property.set',
        inputData: written.map(param),
        outputData: [],
      },
      {
        identifier: 'get',
        name: 'get',
        required: true,
        callType: 'async',
        desc: '属性获取',
        method: 'thing.service.property.get',
        inputData: read.map(({ identifier }) => identifier),
        outputData: read.map(param),
      },
      ...model.services.map(({ inputData, outputData, extra, ...one }) =>
        withExtra(
          {
            ...one,
            method: `thing.service.${one.identifier}`,
            inputData: inputData.map(param),
            outputData: outputData.map(param),
          },
          extra,
        ),
      ),
    ],
  }
  return withExtra<Json>(whole, model.extra)
}

function writeType(dataType: DataType): Json {
  const { type } = dataType
  switch (type) {
    case 'int':
    case 'float':
    case 'double': {
      const { unit, ...numbers } = dataType.specs
      const texts = Object.entries(numbers).map(([name, value]) => [name, String(value)])
      const unitName = unit && units[unit]
      return {
        type,
        specs: {
          ...Object.fromEntries(texts),
          ...(unit && { unit }),
          ...(unitName && { unitName }),
        },
      }
    }
    case 'bool':
    case 'enum':
      return { type, specs: dataType.specs }
    case 'text':
      return { type, specs: { length: String(dataType.specs.length) } }
    case 'date':
      return { type, specs: {} }
    case 'bitmap': {
      const highest = Math.max(...Object.keys(dataType.specs).map(Number))
      const max = String(2 ** (highest + 1) - 1)
      return { type: 'int', specs: { min: '0', max, step: '1', bits: dataType.specs } }
    }
    case 'struct':
      return {
        type,
        specs: dataType.specs.map((member) => ({
          ...member,
          dataType: writeType(member.dataType),
        })),
      }
    case 'array': {
      const { size, item } = dataType.specs
      return { type, specs: { size: String(size), item: writeType(item) } }
    }
  }
}
