import { isObject, listOf, type Json } from './json'
import { itemsOf } from './thingModel'
import { parsed } from './thingValue'

/**
 * Alibaba writes a model down in another way where its console and its API (`ThingModelJson`) hand out what they store:
 * `rwFlag` for `accessMode`, `dataSpecs` and `dataSpecsList` for `dataType.specs`, types in capitals.
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
/** As TSL has it; another word stays, so that it is refused in its place. */
const wordOf = (known: Record<string, string>, given: unknown) => known[String(given)] ?? given
const lower = (given: unknown) => (typeof given === 'string' ? given.toLowerCase() : given)

/** The same as a TSL file. What says what the protocol says (`set`, `get`, `post`) has no `method` here. */
export const fromStored = (file: Json): Json => ({
  ...file,
  properties: each(file.properties, (one) => ({
    ...one,
    accessMode: wordOf(access, one.rwFlag ?? one.accessMode),
    dataType: typeOf(one),
  })),
  services: each(
    file.services,
    (one) => ({
      ...one,
      name: one.name ?? one.serviceName,
      callType: lower(one.callType),
      inputData: paramsOf(one.inputParams ?? one.inputData),
      outputData: paramsOf(one.outputParams ?? one.outputData),
    }),
    ['set', 'get'],
  ),
  events: each(
    file.events,
    (one) => ({
      ...one,
      name: one.name ?? one.eventName,
      type: wordOf(eventTypes, one.eventType ?? one.type),
      outputData: paramsOf(one.outputdata ?? one.outputParams ?? one.outputData),
    }),
    ['post'],
  ),
})

const each = (list: unknown, made: (one: Json) => Json, ofProtocol: unknown[] = []) =>
  Array.isArray(list)
    ? list
        .filter((one) => !(isObject(one) && ofProtocol.includes(one.identifier)))
        .map((one: unknown) =>
          isObject(one) ? made({ ...one, desc: one.desc ?? one.description }) : one,
        )
    : list

const paramsOf = (list: unknown) =>
  Array.isArray(list)
    ? list.map((one: unknown) => (isObject(one) ? { ...one, dataType: typeOf(one) } : one))
    : (list ?? [])

/** Its type is written beside what it holds; of a member or an element as that of the child. */
function typeOf(one: Json): unknown {
  if (isObject(one.dataType)) return one.dataType
  const specs = asObject(one.dataSpecs)
  const type = lower(one.dataType ?? specs.dataType)
  const list = listOf(asList(one.dataSpecsList)).filter(isObject)
  switch (type) {
    case 'bool':
    case 'enum':
      return { type, specs: itemsOf(list.map(({ value, name }) => [text(value), text(name)])) }
    case 'date':
      return { type }
    case 'struct':
      return {
        type,
        specs: list.map((member) => ({
          ...{ identifier: member.identifier, name: member.name ?? member.childName },
          dataType: typeOf({ ...member, dataType: member.childDataType ?? member.dataType }),
        })),
      }
    case 'array':
      return {
        type,
        specs: {
          size: specs.size,
          item: typeOf({
            dataType: specs.childDataType,
            dataSpecs: specs.dataSpecs,
            dataSpecsList: specs.dataSpecsList ?? list,
          }),
        },
      }
    default:
      return { type, specs }
  }
}

const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const asObject = (given: unknown): Json => {
  const value = typeof given === 'string' ? parsed(given) : given
  return isObject(value) ? value : {}
}
const asList = (given: unknown) => (typeof given === 'string' ? parsed(given) : given)
