import { lookup } from 'region-data'
import { abolished } from 'region-data/old-codes'
import { labelOf } from 'region-data/tree'
import { wrongField } from '../refusal'

/** Returns the names of province, city and district of a code; an unknown code is returned unchanged. */
export function regionName(code: string): string {
  if (lookup(code, 'area')) return labelOf(code, ' / ')
  const old = abolished(code)
  return old ? `${old.name}（已撤并）` : code
}

/**
 * Checks a region code. An abolished code is accepted, because the operator chooses among its successors later.
 * @throws Refusal if the code never existed
 */
export function mustBeRegion(code: string, field = 'areaCode') {
  if (!lookup(code, 'area') && !abolished(code))
    throw wrongField(field, '所选地区不存在，请重新选择省、市、区')
}
