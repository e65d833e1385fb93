import { root } from '../root'
import { countLanguage, type LanguageCounts } from './countLanguage'

let counts: LanguageCounts
beforeAll(() => {
  counts = countLanguage(root)
})

const maxFragmentShare = 0.02
const maxArchaicShare = 0.01
const maxLongFunctions = 20

it('finds comments that are full sentences in the language of today', () => {
  expect(counts.comments).toBeGreaterThan(1000)
  const { comments, fragments, archaicComments } = counts
  expect(fragments.length / comments > maxFragmentShare ? fragments : []).toEqual([])
  expect(archaicComments.length / comments > maxArchaicShare ? archaicComments : []).toEqual([])
})

it('finds no object spread that only packs properties', () => {
  expect(counts.packingSpreads).toEqual([])
})

it('finds no function over 200 lines, and few over 120', () => {
  expect(counts.hugeFunctions).toEqual([])
  expect(counts.longFunctions.length > maxLongFunctions ? counts.longFunctions : []).toEqual([])
})
