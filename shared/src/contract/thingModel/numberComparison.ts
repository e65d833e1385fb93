import type { DataType } from './thingModel.schema'
import { maxInt32, minInt32 } from './thingNumber'

type NumberType = Extract<DataType, { type: 'int' | 'float' | 'double' }>
export type NumberComparison = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'

export const oppositeComparisons: Record<NumberComparison, NumberComparison> = {
  eq: 'ne',
  ne: 'eq',
  gt: 'lte',
  gte: 'lt',
  lt: 'gte',
  lte: 'gt',
}

/**
 * Returns what the values of a type are limited to, if none of them meets the comparison; values beyond the range of the
 * model are not stored. The text follows the name: “亮度”+“只会是 0～100”.
 */
export function explainNeverMet(
  { type, specs }: NumberType,
  comparison: NumberComparison,
  limit: number,
): string | undefined {
  const {
    min = type === 'int' ? minInt32 : -Infinity,
    max = type === 'int' ? maxInt32 : Infinity,
  } = specs
  const isNeverMet = {
    eq: limit < min || limit > max,
    ne: min === max && limit === min,
    gt: limit >= max,
    gte: limit > max,
    lt: limit <= min,
    lte: limit < min,
  }[comparison]
  if (isNeverMet) return `只会是 ${min === -Infinity ? '' : min}～${max === Infinity ? '' : max}`
  return type === 'int' && comparison === 'eq' && !Number.isInteger(limit)
    ? '只会是整数'
    : undefined
}
