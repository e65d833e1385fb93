import { areas, provinces } from 'region-data'
import { columnsOf, pathTo } from './choices'

const namesIn = (column: number, ...path: string[]) =>
  columnsOf(path as [string?])[column]!.map(({ name }) => name)

describe('columns', () => {
  it('reach every area, and nothing but areas', () => {
    const reached = provinces.flatMap(({ code }) =>
      columnsOf([code])[1].flatMap((city) =>
        city.area ? [city.area] : columnsOf([code, city.code])[2].map(({ area }) => area),
      ),
    )
    expect(reached.sort()).toEqual(areas.map(({ code }) => code))
  })

  it('put units under the province beside its cities, and the counties of 重庆 with its districts', () => {
    expect(namesIn(1, '41')).toContain('济源市')
    expect(namesIn(1, '41')).not.toContain('省直辖县级行政区划')
    expect(namesIn(1, '50')).toEqual(['重庆市'])
    expect(namesIn(2, '50', '5001')).toEqual(expect.arrayContaining(['渝中区', '城口县']))
  })

  it('stand where a code is', () => {
    expect(pathTo('440305')).toEqual(['44', '4403', '440305'])
    expect(pathTo('500229')).toEqual(['50', '5001', '500229'])
    expect(pathTo('419001')).toEqual(['41', '419001', '419001'])
    expect(pathTo('4403')).toEqual(['44', '4403', undefined])
    expect(pathTo('11')).toEqual(['11', '1101', undefined])
    expect(pathTo('999999')).toEqual([])
    expect(pathTo(undefined)).toEqual([])
  })
})
