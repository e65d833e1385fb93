import { isObject, listOf, type Json } from './json'
import { itemsOf } from './thingModel'
import { parsed } from './thingValue'

/**
 * Recognises Alibaba's storage format, which its console and API (`ThingModelJson`) return: `rwFlag` for `accessMode`,
 * `dataSpecs` and `dataSpecsList` for `dataType.specs`, types in capitals.
 * https://help.aliyun.com/document_detail/150457.html
 */
export const isStored = (file: Json) =>
  ['properties', 'services', 'events'].some((kind) =>
    listOf(file[kind]).some((one) => isObject(one) && words.some((word) => word in one)),
  )
const words = ['rwFlag', 'dataSpecs', 'dataSpecsList', 'inputParams', 'outputParams', 'outputdata']

const access: Record<string, string> = { READ_ONLY: 'r', READ_WRITE: 'rw', WRITE_ONLY: 'w' }
const eventTypes: Record<string, string> = {
  INFO_EVENT_TYPE: 'info',
  ALERT_EVENT_TYPE: 'alert',
  ERROR_EVENT_TYPE: 'error',
}
/** Maps a word to TSL; an unknown word is passed on, so that it is refused at its place. */
const wordOf = (known: Record<string, string>, given: unknown) => known[String(given)] ?? given
const lower = (given: unknown) => (typeof given === 'string' ? given.toLowerCase() : given)

/** Converts the storage format to a TSL file. The built-in functions (`set`, `get`, `post`) carry no `method` here. */
export const fromStored = (file: Json): Json => ({
  ...file,
  properties: each(file.properties, ({ rwFlag, dataSpecs, dataSpecsList, ...one }) => ({
    ...one,
    accessMode: wordOf(access, rwFlag ?? one.accessMode),
    dataType: typeOf({ ...one, dataSpecs, dataSpecsList }),
  })),
  services: each(
    file.services,
    ({ serviceName, inputParams, outputParams, ...one }) => ({
      ...one,
      name: one.name ?? serviceName,
      callType: lower(one.callType),
      inputData: paramsOf(inputParams ?? one.inputData),
      outputData: paramsOf(outputParams ?? one.outputData),
    }),
    ['set', 'get'],
  ),
  events: each(
    file.events,
    ({ eventName, eventType, outputdata, outputParams, ...one }) => ({
      ...one,
      name: one.name ?? eventName,
      type: wordOf(eventTypes, eventType ?? one.type),
      outputData: paramsOf(outputdata ?? outputParams ?? one.outputData),
    }),
    ['post'],
  ),
})

const each = (list: unknown, made: (one: Json) => Json, ofProtocol: unknown[] = []) =>
  Array.isArray(list)
    ? list
        .filter((one) => !(isObject(one) && ofProtocol.includes(one.identifier)))
        .map((one: unknown) => (isObject(one) ? made(withoutKey(one)) : one))
    : list
/** The product key belongs to the other platform and is removed. */
const withoutKey = ({ productKey: _, description, ...one }: Json): Json => ({
  ...one,
  desc: one.desc ?? description,
})

const paramsOf = (list: unknown) =>
  Array.isArray(list)
    ? list.map((one: unknown) => (isObject(one) ? paramOf(one) : one))
    : (list ?? [])
const paramOf = ({ dataSpecs, dataSpecsList, ...one }: Json): Json => ({
  ...one,
  dataType: typeOf({ ...one, dataSpecs, dataSpecsList }),
})

/** The type stands beside its specs; a member or an element names it as the type of a child. */
function typeOf(one: Json): unknown {
  if (isObject(one.dataType)) return one.dataType
  const { dataType: typeInSpecs, ...specs } = asObject(one.dataSpecs)
  const type = lower(one.dataType ?? typeInSpecs)
  const list = listOf(asList(one.dataSpecsList)).filter(isObject)
  switch (type) {
    case 'bool':
    case 'enum':
      return {
        type,
        specs: itemsOf(list.map(({ value, name }) => [text(value), text(name)])),
        ...beside(specs, itemFacts(list)),
      }
    case 'date':
      return { type, specs }
    case 'struct':
      return { type, specs: list.map(memberOf), ...beside(specs, []) }
    case 'array': {
      const { size, childDataType, dataSpecs, dataSpecsList, ...rest } = specs
      const item = { dataType: childDataType, dataSpecs, dataSpecsList: dataSpecsList ?? list }
      return { type, specs: { ...rest, size, item: typeOf(item) } }
    }
    default:
      return { type, specs }
  }
}

const memberOf = ({
  childName,
  childDataType,
  dataSpecs,
  dataSpecsList,
  ...member
}: Json): Json => ({
  ...member,
  name: member.name ?? childName,
  dataType: typeOf({ dataType: childDataType ?? member.dataType, dataSpecs, dataSpecsList }),
})
/** Returns facts of list values besides their words, which a type cannot hold. */
const itemFacts = (list: Json[]) =>
  list.flatMap(({ dataType: _, name: _name, value, ...rest }) =>
    Object.keys(rest).length > 0 ? [{ value, ...rest }] : [],
  )
const beside = (dataSpecs: Json, dataSpecsList: Json[]) => ({
  ...(Object.keys(dataSpecs).length > 0 && { dataSpecs }),
  ...(dataSpecsList.length > 0 && { dataSpecsList }),
})

const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const asObject = (given: unknown): Json => {
  const value = typeof given === 'string' ? parsed(given) : given
  return isObject(value) ? value : {}
}
const asList = (given: unknown) => (typeof given === 'string' ? parsed(given) : given)
