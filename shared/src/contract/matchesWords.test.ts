import { matchesWords } from './matchesWords'

describe('matchesWords', () => {
  it.each([
    ['A座1F-走廊-02', '走廊 1f'],
    ['A座1F-走廊-02', 'Ａ座１Ｆ－走廊－０２'],
    ['ＡＢ区（东）', 'ab区(东)'],
    ['38 层', ''],
    ['38 层', '  38  '],
  ])('finds %s by %s', (text, searchText) => expect(matchesWords(text, searchText)).toBe(true))

  it.each([
    ['A座1F-走廊-02', '走廊 2f'],
    [undefined, 'x'],
  ])('does not find %s by %s', (text, searchText) =>
    expect(matchesWords(text, searchText)).toBe(false),
  )
})
