import { areas, provinces } from 'region-data'
import { getColumns, findPath } from './choices'

const getColumnNames = (column: number, ...path: string[]) =>
  getColumns(path as [string?])[column]!.map(({ name }) => name)

describe('columns', () => {
  it('reach every area and nothing else', () => {
    const reachedCodes = provinces.flatMap(({ code }) =>
      getColumns([code])[1].flatMap((city) =>
        city.area ? [city.area] : getColumns([code, city.code])[2].map(({ area }) => area),
      ),
    )
    expect(reachedCodes.sort()).toEqual(areas.map(({ code }) => code))
  })

  it('place units directly under a province beside its cities, and the counties of 重庆 beside its districts', () => {
    expect(getColumnNames(1, '41')).toContain('济源市')
    expect(getColumnNames(1, '41')).not.toContain('省直辖县级行政区划')
    expect(getColumnNames(1, '50')).toEqual(['重庆市'])
    expect(getColumnNames(2, '50', '5001')).toEqual(expect.arrayContaining(['渝中区', '城口县']))
  })

  it('open at the position of a code', () => {
    expect(findPath('440305')).toEqual(['44', '4403', '440305'])
    expect(findPath('500229')).toEqual(['50', '5001', '500229'])
    expect(findPath('419001')).toEqual(['41', '419001', '419001'])
    expect(findPath('4403')).toEqual(['44', '4403', undefined])
    expect(findPath('11')).toEqual(['11', '1101', undefined])
    expect(findPath('999999')).toEqual([])
    expect(findPath(undefined)).toEqual([])
  })
})
