import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinyin } from 'pinyin-pro'
import { areas, cities, provinces } from './index.ts'
import { toInitials, toPinyin, toCommonPinyin } from './pinyin.ts'

const names = [...new Set([...provinces, ...cities, ...areas].map(({ name }) => name))]
const reviewedPieces = readFileSync(join(__dirname, '../sources/pinyin.tsv'), 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => line.split('\t')[0]!)

describe('pinyin', () => {
  it.each([
    ['重庆市', 'chong qing shi'],
    ['长治市', 'chang zhi shi'],
    ['长子县', 'zhang zi xian'],
    ['六安市', 'lu an shi'],
    ['六盘水市', 'liu pan shui shi'],
    ['番禺区', 'pan yu qu'],
    ['吐鲁番市', 'tu lu fan shi'],
    ['乐清市', 'yue qing shi'],
    ['乐山市', 'le shan shi'],
    ['闵行区', 'min hang qu'],
    ['荥经县', 'ying jing xian'],
    ['荥阳市', 'xing yang shi'],
    ['东阿县', 'dong e xian'],
    ['阿坝县', 'a ba xian'],
    ['成都市', 'cheng du shi'],
    ['绿春县', 'lv chun xian'],
    ['蚌埠市', 'beng bu shi'],
    ['浚县', 'xun xian'],
    ['大埔县', 'da bu xian'],
  ])('of %s is %s', (name, expected) => expect(toPinyin(name).join(' ')).toBe(expected))

  it('has initials', () => expect(toInitials('深圳市')).toBe('szs'))

  it('has the common reading beside the local one', () =>
    expect(toCommonPinyin('番禺区')).toEqual(['fan', 'yu', 'qu']))

  it('agrees with pinyin-pro for every name except reviewed readings', () => {
    const disagreements = names.filter(
      (name) =>
        toPinyin(name).join(' ') !==
          pinyin(name, { toneType: 'none', type: 'array', v: true }).join(' ') &&
        !reviewedPieces.some((piece) => name.includes(piece)),
    )
    expect(disagreements).toEqual([])
  })

  it('covers every character', () => {
    for (const name of names)
      for (const syllable of toPinyin(name)) expect(syllable).toMatch(/^[a-z]{1,6}$/)
  })
})
