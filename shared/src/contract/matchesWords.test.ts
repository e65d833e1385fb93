import { matchesPath, matchesWords } from './matchesWords'

describe('matchesWords', () => {
  it.each([
    ['A座1F-走廊-02', '走廊 1f'],
    ['A座1F-走廊-02', 'Ａ座１Ｆ－走廊－０２'],
    ['ＡＢ区（东）', 'ab区(东)'],
    ['38 层', ''],
    ['38 层', '  38  '],
    ['A座 1F 走廊', 'A座1F走廊'],
    ['A座1F走廊', 'Ａ座　1F 走廊'],
    ['A座 1F 走廊', '走廊 a座1'],
    ['UPS / 配电间', 'ups/配电间'],
  ])('finds %s by %s', (text, searchText) => expect(matchesWords(text, searchText)).toBe(true))

  it.each([
    ['A座1F-走廊-02', '走廊 2f'],
    [undefined, 'x'],
  ])('does not find %s by %s', (text, searchText) =>
    expect(matchesWords(text, searchText)).toBe(false),
  )
})

it.each([
  ['A座1F走廊', true],
  ['a座 / 1f', true],
  ['1F走廊 A座', true],
  ['A座走廊', false],
])('a path is found with and without its slashes: %s', (searchText, isFound) =>
  expect(matchesPath('A座 / 1F / 走廊', searchText)).toBe(isFound),
)
