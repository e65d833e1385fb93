import { dictionaryTypes, maintainedDictionaries } from '@iot/shared/contract/platform/dictionary'
import { dictionaryApi } from '@iot/shared/contract/platform/dictionary.api'
import { sharedApp, type TestApp } from '../../testing'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})

describe('GET /v1/dictionary/list', () => {
  it('is refused without a session and without the permission', async () => {
    await expect(app.stranger.call(dictionaryApi.list, {})).rejects.toMatchObject({ code: 401 })
    const visitor = await app.join('dictionary-visitor', 'visitor', [1])
    await expect(visitor.call(dictionaryApi.list, {})).rejects.toMatchObject({ status: 403 })
  })

  it('returns every dictionary; those that rows maintain come from their tables', async () => {
    const dictionaries = await app.as('admin').call(dictionaryApi.list, {})
    expect(dictionaries.map(({ type }) => type).sort()).toEqual([...dictionaryTypes].sort())
    expect(dictionaries).toEqual(await app.as('admin').call(dictionaryApi.config, {}))
    const fixedDictionaries = dictionaries.filter(
      ({ type }) => !maintainedDictionaries.some((maintained) => maintained === type),
    )
    expect(fixedDictionaries.every(({ configLists }) => configLists.length > 0)).toBe(true)
  })
})
