import { lookup } from 'region-data'
import { abolished } from 'region-data/old-codes'
import { labelOf } from 'region-data/tree'
import { wrongField } from '../refusal'

/** 省 市 区 of a district's code, for a reader; what is neither in use nor abolished stays a code. */
export function regionName(code: string): string {
  if (lookup(code, 'area')) return labelOf(code, ' / ')
  const old = abolished(code)
  return old ? `${old.name}（已撤并）` : code
}

/** An abolished code is kept: the operator is offered its successors, and decides. */
export function mustBeRegion(code: string, field = 'areaCode') {
  if (!lookup(code, 'area') && !abolished(code))
    throw wrongField(field, '所选地区不存在，请重新选择省、市、区')
}
