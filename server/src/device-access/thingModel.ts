import type { Values } from '@iot/shared/contract/device'
import { AlinkError, alinkCode } from './alink'

/** The part of Alibaba's TSL that incoming values are held against. */
export type DataType =
  | {
      type: 'int' | 'float' | 'double'
      specs?: { min?: number | string; max?: number | string; unit?: string }
    }
  | { type: 'bool' | 'enum'; specs: Record<string, string> }
  | { type: 'text'; specs?: { length?: number | string } }
  | { type: 'date' }
  | { type: 'struct' | 'array'; specs?: unknown }
export type Property = {
  identifier: string
  name: string
  accessMode: 'r' | 'rw' | 'w'
  dataType: DataType
}
export type ThingModel = {
  properties: Property[]
  events: { identifier: string; name: string; type: 'info' | 'alert' | 'error' }[]
  services: { identifier: string; name: string }[]
}

const propertiesPerPost = 200

/**
 * The values of a property post as they are kept. A value may stand bare or as `{value, time}`.
 * A product without properties in its model takes any; structures and arrays are kept as JSON text.
 */
export function readProperties(model: ThingModel, params: unknown): Values {
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    throw new AlinkError(alinkCode.parameter)
  const entries = Object.entries(params)
  if (entries.length > propertiesPerPost) throw new AlinkError(alinkCode.tooMany)
  return Object.fromEntries(
    entries.map(([identifier, given]) => {
      const property = model.properties.find((one) => one.identifier === identifier)
      if (!property && model.properties.length > 0)
        throw new AlinkError(alinkCode.identifier, identifier.slice(0, 64))
      return [identifier, valueOf(identifier, unwrap(given), property?.dataType)]
    }),
  )
}

const unwrap = (given: unknown): unknown =>
  typeof given === 'object' &&
  given !== null &&
  'value' in given &&
  Object.keys(given).every((key) => key === 'value' || key === 'time')
    ? given.value
    : given

function valueOf(identifier: string, value: unknown, dataType?: DataType): number | string {
  const fail = (code: number) => new AlinkError(code, identifier.slice(0, 64))
  if (
    value === null ||
    value === undefined ||
    (typeof value === 'number' && !Number.isFinite(value))
  )
    throw fail(alinkCode.parameter)
  // Text that the database cannot hold.
  if (typeof value === 'string' && (value.includes('\0') || value.length > 10_240))
    throw fail(alinkCode.text)
  switch (dataType?.type) {
    case 'int':
      if (typeof value !== 'number' || !Number.isInteger(value) || isOutside(value, dataType.specs))
        throw fail(alinkCode.int)
      return value
    case 'float':
    case 'double':
      if (typeof value !== 'number' || isOutside(value, dataType.specs)) throw fail(alinkCode.float)
      return value
    case 'bool':
      if (value !== 0 && value !== 1) throw fail(alinkCode.bool)
      return value
    case 'enum':
      if (typeof value !== 'number' || !(String(value) in dataType.specs))
        throw fail(alinkCode.enum)
      return value
    case 'text':
      if (typeof value !== 'string' || value.length > Number(dataType.specs?.length ?? 10_240))
        throw fail(alinkCode.text)
      return value
    case 'date':
      if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) throw fail(alinkCode.date)
      return value
    case 'array':
      if (!Array.isArray(value)) throw fail(alinkCode.array)
      return asText(value)
    default:
      return typeof value === 'number' || typeof value === 'string'
        ? value
        : typeof value === 'boolean'
          ? Number(value)
          : asText(value)
  }
}

const isOutside = (value: number, specs: { min?: number | string; max?: number | string } = {}) =>
  value < Number(specs.min ?? -Infinity) || value > Number(specs.max ?? Infinity)
const asText = (value: unknown) => JSON.stringify(value).replaceAll('\\u0000', '').slice(0, 10_240)

/** Why these values cannot be set, in Chinese; undefined when they can. */
export function refuseSetting(model: ThingModel, values: Values): string | undefined {
  for (const [identifier, value] of Object.entries(values)) {
    const property = model.properties.find((one) => one.identifier === identifier)
    if (!property) {
      if (model.properties.length > 0) return `产品没有功能 ${identifier}`
      continue
    }
    if (property.accessMode === 'r') return `${property.name}只读，不能设置`
    try {
      valueOf(identifier, value, property.dataType)
    } catch {
      return `${property.name}的值超出允许范围`
    }
  }
  return undefined
}
