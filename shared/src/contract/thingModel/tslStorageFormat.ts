import { isObject, toArray, type Json } from '../json'
import { toItems } from './thingModel'
import { parseJson } from './thingValue'

/**
 * Recognises Alibaba's storage format, which its console and API (`ThingModelJson`) return: `rwFlag` for `accessMode`,
 * `dataSpecs` and `dataSpecsList` for `dataType.specs`, types in capitals.
 * https://help.aliyun.com/document_detail/150457.html
 */
export const isStorageFormat = (file: Json) =>
  ['properties', 'services', 'events'].some((kind) =>
    toArray(file[kind]).some(
      (fileFunction) =>
        isObject(fileFunction) && storageFormatKeys.some((word) => word in fileFunction),
    ),
  )
const storageFormatKeys = [
  'rwFlag',
  'dataSpecs',
  'dataSpecsList',
  'inputParams',
  'outputParams',
  'outputdata',
]

const accessModes: Record<string, string> = { READ_ONLY: 'r', READ_WRITE: 'rw', WRITE_ONLY: 'w' }
const eventTypes: Record<string, string> = {
  INFO_EVENT_TYPE: 'info',
  ALERT_EVENT_TYPE: 'alert',
  ERROR_EVENT_TYPE: 'error',
}
/** Maps a word to TSL; an unknown word is passed on, so that it is refused at its place. */
const translateWord = (translations: Record<string, string>, word: unknown) =>
  translations[String(word)] ?? word
const toLowerCaseWord = (word: unknown) => (typeof word === 'string' ? word.toLowerCase() : word)

/** Converts the storage format to a TSL file. The built-in functions (`set`, `get`, `post`) carry no `method` here. */
export const convertStorageFormat = (file: Json): Json => ({
  ...file,
  properties: convertFunctions(
    file.properties,
    ({ rwFlag, dataSpecs, dataSpecsList, ...property }) => ({
      ...property,
      accessMode: translateWord(accessModes, rwFlag ?? property.accessMode),
      dataType: toDataType({ ...property, dataSpecs, dataSpecsList }),
    }),
  ),
  services: convertFunctions(
    file.services,
    ({ serviceName, inputParams, outputParams, ...service }) => ({
      ...service,
      name: service.name ?? serviceName,
      callType: toLowerCaseWord(service.callType),
      inputData: toParams(inputParams ?? service.inputData),
      outputData: toParams(outputParams ?? service.outputData),
    }),
    ['set', 'get'],
  ),
  events: convertFunctions(
    file.events,
    ({ eventName, eventType, outputdata, outputParams, ...event }) => ({
      ...event,
      name: event.name ?? eventName,
      type: translateWord(eventTypes, eventType ?? event.type),
      outputData: toParams(outputdata ?? outputParams ?? event.outputData),
    }),
    ['post'],
  ),
})

const convertFunctions = (
  list: unknown,
  convert: (fileFunction: Json) => Json,
  protocolIdentifiers: unknown[] = [],
) =>
  Array.isArray(list)
    ? list
        .filter(
          (fileFunction) =>
            !(isObject(fileFunction) && protocolIdentifiers.includes(fileFunction.identifier)),
        )
        .map((fileFunction: unknown) =>
          isObject(fileFunction) ? convert(dropProductKey(fileFunction)) : fileFunction,
        )
    : list
/** The product key belongs to the other platform and is removed. */
const dropProductKey = ({ productKey: _, description, ...fileFunction }: Json): Json => ({
  ...fileFunction,
  desc: fileFunction.desc ?? description,
})

const toParams = (list: unknown) =>
  Array.isArray(list)
    ? list.map((param: unknown) => (isObject(param) ? toParam(param) : param))
    : (list ?? [])
const toParam = ({ dataSpecs, dataSpecsList, ...param }: Json): Json => ({
  ...param,
  dataType: toDataType({ ...param, dataSpecs, dataSpecsList }),
})

/** The type stands beside its specs; a member or an element names it as the type of a child. */
function toDataType(typeSource: Json): unknown {
  if (isObject(typeSource.dataType)) return typeSource.dataType
  const { dataType: typeInSpecs, ...specs } = asObject(typeSource.dataSpecs)
  const type = toLowerCaseWord(typeSource.dataType ?? typeInSpecs)
  const list = toArray(asList(typeSource.dataSpecsList)).filter(isObject)
  switch (type) {
    case 'bool':
    case 'enum':
      return {
        type,
        specs: toItems(list.map(({ value, name }) => [toText(value), toText(name)])),
        ...toExtraSpecs(specs, listItemFacts(list)),
      }
    case 'date':
      return { type, specs }
    case 'struct':
      return { type, specs: list.map(toMember), ...toExtraSpecs(specs, []) }
    case 'array': {
      const { size, childDataType, dataSpecs, dataSpecsList, ...rest } = specs
      const item = { dataType: childDataType, dataSpecs, dataSpecsList: dataSpecsList ?? list }
      return { type, specs: { ...rest, size, item: toDataType(item) } }
    }
    default:
      return { type, specs }
  }
}

const toMember = ({
  childName,
  childDataType,
  dataSpecs,
  dataSpecsList,
  ...member
}: Json): Json => ({
  ...member,
  name: member.name ?? childName,
  dataType: toDataType({ dataType: childDataType ?? member.dataType, dataSpecs, dataSpecsList }),
})
/** Returns facts of list values besides their words, which a type cannot hold. */
const listItemFacts = (list: Json[]) =>
  list.flatMap(({ dataType: _, name: _name, value, ...rest }) =>
    Object.keys(rest).length > 0 ? [{ value, ...rest }] : [],
  )
const toExtraSpecs = (dataSpecs: Json, dataSpecsList: Json[]) => ({
  ...(Object.keys(dataSpecs).length > 0 && { dataSpecs }),
  ...(dataSpecsList.length > 0 && { dataSpecsList }),
})

const toText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const asObject = (input: unknown): Json => {
  const value = typeof input === 'string' ? parseJson(input) : input
  return isObject(value) ? value : {}
}
const asList = (input: unknown) => (typeof input === 'string' ? parseJson(input) : input)
