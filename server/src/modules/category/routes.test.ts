import { standardCategoryApi } from '@iot/shared/contract/product/category.api'
import { dictionaryTypes } from '@iot/shared/contract/platform/dictionary'
import { DictionaryConfig } from '@iot/shared/contract/platform/dictionary.schema'
import { dictionaryApi } from '@iot/shared/contract/platform/dictionary.api'
import { toModelTable } from '@iot/shared/contract/thingModel/modelSheet'
import { parseModelTable } from '@iot/shared/contract/thingModel/modelSheet.schema'
import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { toTsl } from '@iot/shared/contract/thingModel/tsl'
import { parseTsl } from '@iot/shared/contract/thingModel/tsl.schema'
import { sharedApp, type TestApp } from '../../testing'
import { standardCategories } from './standard'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})

describe('GET /v1/product-standard-category/list', () => {
  it('refuses without a session', () =>
    expect(app.stranger.call(standardCategoryApi.list, {})).rejects.toMatchObject({ code: 401 }))

  it('answers with at least 40 categories, each with a thing model', async () => {
    const categories = await app.as('admin').call(standardCategoryApi.list, {})
    expect(categories.length).toBeGreaterThanOrEqual(40)
    expect(new Set(categories.map(({ code }) => code)).size).toBe(categories.length)
    for (const { model } of categories) {
      expect(ThingModel.parse(model)).toEqual(model)
      expect(model.properties.length).toBeGreaterThan(0)
    }
  })

  it('uses only units of the dictionary', async () => {
    const [units] = await app.as('admin').call(dictionaryApi.config, { type: 'symbol' })
    const knownUnits = new Set(units!.configLists.map(({ code }) => code))
    const usedUnits = (await app.as('admin').call(standardCategoryApi.list, {})).flatMap(
      ({ model }) =>
        model.properties.flatMap(({ dataType }) =>
          'specs' in dataType && 'unit' in dataType.specs ? (dataType.specs.unit ?? []) : [],
        ),
    )
    expect(usedUnits.length).toBeGreaterThan(40)
    expect(usedUnits.filter((unit) => !knownUnits.has(unit))).toEqual([])
  })
})

test('every standard category can be exported and imported as TSL and as a table', () => {
  for (const { model } of standardCategories) {
    expect(parseModelTable(toModelTable(model))).toEqual({ model })
    expect(parseTsl(JSON.stringify(toTsl(model, { productKey: 'a1' })))).toEqual({ model })
  }
})

/** The list holds the units of JetLinks, which Chinese platforms have in common. */
const commonUnits =
  '% count rpm nm μm mm cm m km mm² cm² m² km² hm² day h min s ms μs ns mm³ cm³ m³ km³ m³/s km³/s cm³/s L/s m³/h km³/h cm³/h L/h mL L mg g kg t Pa kPa N N·m K °C °F J cal W kW rad ° ′ ″ Hz MHz GHz m/s km/h kn V kV mV μV A mA μA nA Ω kΩ MΩ eV kW·h'

describe('GET /v1/dictionary/config', () => {
  it('contains the common units and those of lighting and air quality', async () => {
    const [units] = await app.as('admin').call(dictionaryApi.config, { type: 'symbol' })
    const codes = units!.configLists.map(({ code }) => code)
    expect(new Set(commonUnits.split(' ')).size).toBe(73)
    expect(codes).toEqual(expect.arrayContaining(commonUnits.split(' ')))
    expect(codes).toEqual(expect.arrayContaining(['lux', 'lm', 'cd', 'lm/W', 'K', 'μg/m³', 'ppm']))
    expect(new Set(codes).size).toBe(codes.length)
  })

  it('refuses without a session', () =>
    expect(app.stranger.call(dictionaryApi.config, {})).rejects.toMatchObject({ code: 401 }))

  it('answers with every known type, or with the requested ones only', async () => {
    const all = await app.as('admin').call(dictionaryApi.config, {})
    expect(all.map(({ type }) => type).sort()).toEqual([...dictionaryTypes].sort())
    for (const item of all)
      expect(DictionaryConfig.parse(item).configLists.length).toBeGreaterThan(0)
    const requestedTypes = await app
      .as('admin')
      .call(dictionaryApi.config, { type: 'net, symbol, unheard' })
    expect(requestedTypes.map(({ type }) => type).sort()).toEqual(['net', 'symbol'])
  })

  it('contains map engineering versions whose code is an integer', async () => {
    const [versions] = await app
      .as('admin')
      .call(dictionaryApi.config, { type: 'mapEngineeringVersion' })
    expect(versions!.configLists[0]!.code).toMatch(/^\d+$/)
  })
})
