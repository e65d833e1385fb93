import type { Values } from './device'
import type { DataType, ThingModel } from './thingModel'

const choicesShown = 8

/** Why a value as the device speaks it is not one of this type; undefined when it is. Reads on after the name: “亮度”+“不能大于 100”. */
export function refuseValue(dataType: DataType, value: unknown): string | undefined {
  switch (dataType.type) {
    case 'int':
      return Number.isInteger(value) ? outside(value as number, dataType.specs) : '须为整数'
    case 'float':
    case 'double':
      return Number.isFinite(value) ? outside(value as number, dataType.specs) : '须为数字'
    case 'bool':
    case 'enum': {
      if (typeof value === 'number' && Object.hasOwn(dataType.specs, String(value)))
        return undefined
      const choices = Object.entries(dataType.specs).map(([item, word]) => `${item}（${word}）`)
      return `只能是 ${choices.slice(0, choicesShown).join('、')}${choices.length > choicesShown ? '等' : ''}`
    }
    case 'bitmap':
      if (!Number.isInteger(value) || Number(value) < 0) return '须为不小于 0 的整数'
      return first(bitsOf(Number(value)), (bit) =>
        Object.hasOwn(dataType.specs, bit) ? undefined : `第 ${bit} 位没有定义`,
      )
    case 'text':
      if (typeof value !== 'string') return '须为文字'
      return value.length > dataType.specs.length ? `最多 ${dataType.specs.length} 个字` : undefined
    case 'date':
      return typeof value === 'string' && /^\d{1,15}$/.test(value) ? undefined : '须为毫秒时间戳'
    case 'struct': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return '须为结构体'
      const members = new Map(dataType.specs.map((member) => [member.identifier, member]))
      return first(Object.entries(value), ([identifier, part]) => {
        const member = members.get(identifier)
        const why = member ? refuseValue(member.dataType, part) : '不在结构体中'
        return why && `的${member?.name ?? ` ${identifier.slice(0, 64)} `}${why}`
      })
    }
    case 'array': {
      if (!Array.isArray(value)) return '须为数组'
      const { size, item } = dataType.specs
      if (value.length > size) return `最多 ${size} 项`
      return first(value, (one, at) => {
        const why = refuseValue(item, one)
        return why && `第 ${at + 1} 项${why}`
      })
    }
  }
}

/** Which bits of a number are set. JavaScript's own operators stop at 31. */
const bitsOf = (value: number) =>
  [...value.toString(2)].reverse().flatMap((digit, bit) => (digit === '1' ? String(bit) : []))

const outside = (
  value: number,
  { min = -Infinity, max = Infinity }: { min?: number; max?: number },
) => (value < min ? `不能小于 ${min}` : value > max ? `不能大于 ${max}` : undefined)

function first<T>(list: T[], why: (one: T, at: number) => string | undefined) {
  for (const [at, one] of list.entries()) {
    const reason = why(one, at)
    if (reason) return reason
  }
  return undefined
}

/** Why these values cannot be set, in Chinese; undefined when they can. */
export function refuseSetting({ properties }: ThingModel, values: Values): string | undefined {
  return first(Object.entries(values), ([identifier, value]) => {
    const property = properties.find((one) => one.identifier === identifier)
    if (!property) return `产品没有功能 ${identifier}`
    if (property.accessMode === 'r') return `${property.name}只读，不能设置`
    const why = refuseValue(property.dataType, value)
    return why && `${property.name}${why}`
  })
}

/** `电源开关为开启，亮度为 30`; by identifier where the model is not known. */
export function settingText(model: ThingModel | undefined, values: Values): string {
  const words = Object.entries(values).map(([identifier, value]) => {
    const property = model?.properties.find((one) => one.identifier === identifier)
    if (!property) return `${identifier} 为 ${value}`
    const { name, dataType } = property
    const isWord = dataType.type === 'bool' || dataType.type === 'enum'
    const word = isWord && new Map(Object.entries(dataType.specs)).get(String(value))
    return word ? `${name}为${word}` : `${name}为 ${value}`
  })
  return words.join('，')
}
