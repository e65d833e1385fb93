import { lookup } from 'region-data'
import { wrongField } from './refusal'

/** 省 市 区 of a district's code, for a reader; a code that is no more stays a code. */
export function regionName(code: string): string {
  const names = [lookup(code.slice(0, 2), 'province'), lookup(code.slice(0, 4), 'city'), lookup(code, 'area')].map((region) => region?.name)
  return names[2] ? [...new Set(names)].filter(Boolean).join(' ') : code
}

export function mustBeRegion(code: string, field = 'areaCode') {
  if (!lookup(code, 'area')) throw wrongField(field, '所选地区不存在，请重新选择省、市、区')
}
