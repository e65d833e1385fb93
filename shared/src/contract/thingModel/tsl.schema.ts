import { isObject, toArray, type Json } from '../json'
import { type ModelReadResult, type ModelError, type ModelPath, normalizeUnit } from './parseModel'
import { isStorageFormat, convertStorageFormat } from './tslStorageFormat'
import { parseModel } from './parseModel.schema'
import { ThingModel } from './thingModel.schema'
import { toTsl } from './tsl'
import { functionKinds, markRepeatedValue } from './thingModel'
import { findExtra } from './tslExtra'
import { kindText } from './thingText'
import { parseJson } from './thingValue'
import { inexactNumberText, isKeptExactly } from './thingNumber'

/** Every TSL file contains `set`, `get` and `post`, which belong to the protocol and not to the model. */
const isProtocolFunction = (fileFunction: unknown) =>
  isObject(fileFunction) &&
  /^thing\.(service|event)\.property\.(set|get|post)$/.test(String(fileFunction.method))

/** Reads an Alibaba TSL file or a model in Alibaba's storage format. */
export function parseTsl(text: string): ModelReadResult {
  let file: unknown
  const { markedText, repeatedNames } = markRepeatedKeys(text)
  try {
    file = JSON.parse(markedText)
  } catch {
    return { errors: [{ place: '文件', field: '', reason: '不是 JSON 文件' }] }
  }
  if (!isObject(file) || !['properties', 'services', 'events'].some((kind) => kind in file))
    return { errors: [{ place: '文件', field: '', reason: '没有属性、服务或事件，不是 TSL 文件' }] }
  const inexactNumbers = findInexactNumbers(text)
  if (repeatedNames.length + inexactNumbers.length > 0)
    return {
      errors: [
        ...repeatedNames.map((name) => ({
          place: '文件',
          field: name,
          reason: '在同一处出现两次',
        })),
        ...inexactNumbers.map((number) => ({
          place: '文件',
          field: number.slice(0, 64),
          reason: inexactNumberText,
        })),
      ],
    }
  const blocks = toArray(file.functionBlocks).filter(isObject)
  if (blocks.length > 0) {
    const names = blocks.map(({ name, functionBlockName, identifier }) =>
      String(name ?? functionBlockName ?? identifier ?? ''),
    )
    const reason = `只有默认模块的功能能导入，请先把“${names.join('、').slice(0, 100)}”的功能并入默认模块`
    return { errors: [{ place: '文件', field: '自定义模块', reason }] }
  }
  const functions = ['properties', 'services', 'events'].flatMap((kind) => toArray(file[kind]))
  if (
    functions.length > 0 &&
    !functions.some((fileFunction) => isObject(fileFunction) && 'identifier' in fileFunction)
  )
    return {
      errors: [
        {
          place: '文件',
          field: '标识符',
          reason: '所有功能都没有 identifier，不是 TSL 文件；可以下载模板，改用表格导入',
        },
      ],
    }
  const tsl = isStorageFormat(file) ? convertStorageFormat(file) : file
  const { properties, services, events } = tsl
  const withoutProtocolFunctions = (list: unknown) =>
    Array.isArray(list)
      ? list.filter((fileFunction) => !isProtocolFunction(fileFunction))
      : (list ?? [])
  const ownFunctions = {
    properties: properties ?? [],
    services: withoutProtocolFunctions(services),
    events: withoutProtocolFunctions(events),
  }
  const rawModel = normalizeTypes(ownFunctions) as Json
  const parseResult = parseModel(
    rawModel,
    (path) => describePlace(rawModel, path),
    '只能是 true 或 false',
  )
  return parseResult.errors
    ? parseResult
    : addExtraFacts(parseResult.model, { ...tsl, ...ownFunctions })
}

/** Adds the facts of the file that the model does not cover; contradictions to the model are refused. */
function addExtraFacts(model: ThingModel, tslFile: Json): ModelReadResult {
  const generatedTsl = toTsl(model, { productKey: '' })
  const errors: ModelError[] = []
  const modelWithExtra = { ...model }
  for (const kind of functionKinds) {
    const generatedFunctions = toArray(generatedTsl[kind])
    modelWithExtra[kind] = model[kind].map((modelFunction, index) => {
      const generatedFunction = generatedFunctions.find(
        (candidate) => isObject(candidate) && candidate.identifier === modelFunction.identifier,
      )
      const { extra, wrongMethod } = findExtra(toArray(tslFile[kind])[index], generatedFunction)
      if (wrongMethod)
        errors.push({
          place: `第 ${index + 1} 个${kindText[kind]} ${modelFunction.identifier}`,
          field: 'method',
          reason: `“${wrongMethod.given}”不能保留，只能是 ${wrongMethod.expected}`,
        })
      return extra.length > 0 ? { ...modelFunction, extra } : modelFunction
    }) as never
  }
  const { properties, services, events, functionBlocks, link, productKey, profile, ...rest } =
    tslFile
  const { productKey: _, deviceName, ...profileFacts } = isObject(profile) ? profile : {}
  const { schema } = generatedTsl
  const { extra } = findExtra({ ...rest, profile: profileFacts }, { schema, profile: {} })
  if (extra.length > 0) modelWithExtra.extra = extra
  const parsedModel = ThingModel.safeParse(modelWithExtra)
  const issue = parsedModel.error?.issues[0]
  if (issue)
    errors.push({
      place: describePlace(modelWithExtra as Json, issue.path.slice(0, 2)),
      field: '其他',
      reason: issue.message,
    })
  return errors.length > 0 ? { errors } : { model: modelWithExtra }
}

/** Returns the numbers of a JSON text that parsing would silently round. */
const findInexactNumbers = (text: string) =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"|(?<number>-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/gi)]
    .flatMap(({ groups }) => groups?.number ?? [])
    .filter((number) => !isKeptExactly(number))

/**
 * Finds repeated keys within a JSON object, of which parsing would silently keep the last one. Those that are numbers,
 * which are the values of an enum, a switch or a bitmap, are renamed; the others are listed.
 */
function markRepeatedKeys(text: string) {
  const openObjectKeys: Set<string>[] = []
  const repeatedNames = new Set<string>()
  const markedText = text.replace(
    /[{}]|"(?:[^"\\]|\\.)*"(\s*:)?/g,
    (part: string, colon: string | undefined) => {
      if (part === '{') openObjectKeys.push(new Set())
      if (part === '}') openObjectKeys.pop()
      const [, name] = (colon && /^"((?:[^"\\]|\\.)*)"/.exec(part)) || []
      const seenNames = openObjectKeys.at(-1)
      if (name === undefined || !seenNames) return part
      if (!seenNames.has(name)) {
        seenNames.add(name)
        return part
      }
      if (/^-?\d+$/.test(name)) return `${JSON.stringify(markRepeatedValue(name))}:`
      repeatedNames.add(name.slice(0, 64))
      return part
    },
  )
  return { markedText, repeatedNames: [...repeatedNames] }
}

const listText: Record<string, string> = {
  inputData: '输入参数',
  outputData: '输出参数',
  specs: '成员',
}
/** Names a place such as “第 2 个属性 Brightness”, followed by the parameter or member. */
function describePlace(raw: Json, path: ModelPath) {
  const [kind, functionIndex] = path as [keyof typeof kindText, number]
  if (typeof functionIndex !== 'number') return kindText[kind] ?? '文件'
  const placeTexts: string[] = []
  let currentNode: unknown = raw
  for (const [depth, part] of path.entries()) {
    currentNode = isObject(currentNode)
      ? currentNode[String(part)]
      : toArray(currentNode)[Number(part)]
    if (typeof part !== 'number') continue
    const placeText =
      depth === 1
        ? `第 ${part + 1} 个${kindText[kind]}`
        : `${listText[String(path[depth - 1])]} ${part + 1}`
    const identifierText =
      isObject(currentNode) && typeof currentNode.identifier === 'string' && currentNode.identifier
    placeTexts.push(identifierText ? `${placeText} ${identifierText.slice(0, 64)}` : placeText)
  }
  return placeTexts.join('，')
}

/** Type facts that many files write as empty text if they are not set. */
const optionalFacts = new Set(['min', 'max', 'step', 'unit', 'scale', 'length', 'size'])

/**
 * Normalises all types recursively: units as in the dictionary, integers with named bits as bitmaps, parsed specs, and
 * no empty facts.
 */
function normalizeTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalizeTypes)
  if (!isObject(value)) return value
  const specs =
    typeof value.specs === 'string' ? (parseJson(value.specs) ?? value.specs) : value.specs
  if (value.type === 'int' && isObject(specs) && isObject(specs.bits))
    return { ...value, type: 'bitmap', specs: specs.bits }
  const normalizedFacts = Object.entries({ ...value, ...('specs' in value && { specs }) })
    .filter(([name, part]) => part !== null && !(part === '' && optionalFacts.has(name)))
    .map(([name, part]) => [
      name,
      name === 'unit' && typeof part === 'string' ? normalizeUnit(part) : normalizeTypes(part),
    ])
  const normalized = Object.fromEntries(normalizedFacts) as Json
  // A text type without a length takes the default of the model.
  if (normalized.type === 'text' && isObject(normalized.specs) && !('length' in normalized.specs))
    delete normalized.specs
  return normalized
}
