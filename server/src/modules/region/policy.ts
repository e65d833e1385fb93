import { lookup } from 'region-data'
import { findAbolishedCode } from 'region-data/old-codes'
import { formatRegionLabel } from 'region-data/tree'
import { createFieldRefusal } from '../../core/refusal'

/** Returns the names of province, city and district of a code; an unknown code is returned unchanged. */
export function formatRegion(code: string): string {
  if (lookup(code, 'area')) return formatRegionLabel(code, ' / ')
  const abolishedRegion = findAbolishedCode(code)
  return abolishedRegion ? `${abolishedRegion.name}（已撤并）` : code
}

/**
 * Checks a region code. An abolished code is accepted, because the operator chooses among its successors later.
 * @throws Refusal if the code never existed
 */
export function assertRegionExists(code: string, field = 'areaCode') {
  if (!lookup(code, 'area') && !findAbolishedCode(code))
    throw createFieldRefusal(field, '所选地区不存在，请重新选择省、市、区')
}
