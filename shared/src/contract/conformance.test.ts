import { lacking } from './conformance'
import { widgetOf } from './controlType'
import { ThingModel } from './thingModel'

const number = { type: 'int', specs: { min: 0, max: 100, step: 1, unit: '%' } }
const power = { identifier: 'Power', name: '电源', accessMode: 'rw' }
const level = { identifier: 'Level', name: '亮度', accessMode: 'rw', dataType: number }
const model = (...properties: object[]) => ThingModel.parse({ properties })
const own = model({ ...power, dataType: { type: 'bool', specs: { 0: '关', 1: '开' } } })

describe('control types of a product', () => {
  const dim = {
    code: 'dim',
    name: '调光',
    functions: ['Power', 'Level'],
    widget: 'number' as const,
  }

  it('name what it lacks, which one press takes from where it is', () => {
    const [one, ...others] = lacking(own, [dim], [model(level)])
    expect(others).toEqual([])
    expect(one).toMatchObject({
      identifier: 'Level',
      name: '亮度',
      problem: '缺少控制类型“调光”的必备功能',
    })
    const mended = one!.mend!.model
    expect(mended.properties.map(({ identifier }) => identifier)).toEqual(['Power', 'Level'])
    expect(lacking(mended, [dim], [])).toEqual([])
    expect(lacking(own, [dim], [])[0]!.mend).toBeUndefined()
  })
  it('say how a property is set, where that can be', () => {
    const [lamp, brightness] = [own.properties[0]!, model(level).properties[0]!]
    expect(widgetOf(brightness, [dim])).toBe('number')
    expect(widgetOf(lamp, [dim])).toBeUndefined()
    expect(widgetOf(lamp, [dim, { functions: ['Power'], widget: 'buttons' }])).toBe('buttons')
    expect(widgetOf(brightness, [])).toBeUndefined()
  })
})
