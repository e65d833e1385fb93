import { text } from '../data/old-codes.ts'
import { endings } from './decode.ts'
import { lookup, type Level } from './index.ts'
import { createLazyList } from './lazy.ts'

/** A code that is no longer in use. `successors` are current codes of the same level, the likeliest first. */
export type OldCode = {
  readonly code: string
  readonly name: string
  readonly successors: readonly string[]
}

const getLevel = (code: string): Level => (code.length === 4 ? 'city' : 'area')

function* parseOldCodes(): Generator<OldCode> {
  const [cities, ...lines] = text.split('\n')
  for (const [, code, name, successors] of cities!.matchAll(/(\d+)(\D+)([\d,]+)/g))
    yield { code: code!, name: name!, successors: successors!.split(',') }

  for (const line of lines) {
    const [head, ...rows] = line.split(' ')
    const [city, target = city] = head!.split('>')
    for (const row of rows) {
      const [, digits, stem, letter, codes] = /(\d\d)(\D*)([a-z])(.+)/.exec(row)!
      const successors = codes!.split(',').map((code) => (code.length === 2 ? target + code : code))
      yield {
        code: city! + digits,
        name: (stem || stripEnding(successors[0]!)) + endings[letter!],
        successors,
      }
    }
  }
}

const stripEnding = (code: string) => {
  const { name } = lookup(code, 'area')!
  const ending = Object.values(endings).find((end) => name.endsWith(end) && name !== end)!
  return name.slice(0, name.length - ending.length)
}

const freezeRow = (row: OldCode) =>
  Object.freeze({ ...row, successors: Object.freeze(row.successors) })

/** Cities and areas that were abolished since 2009. */
export const oldCodes = createLazyList<OldCode>(() => [...parseOldCodes()].map(freezeRow))

let oldCodesByCode: Map<unknown, OldCode> | undefined

/** Returns the name and successors of an abolished code; undefined for a current or unknown code. */
export const findAbolishedCode = (code: string): OldCode | undefined =>
  (oldCodesByCode ??= new Map(oldCodes.map((row) => [row.code, row]))).get(code)

const getFormerName = (code: string) =>
  lookup(code, getLevel(code))?.name ?? findAbolishedCode(code)?.name

/** Returns the full name of an abolished code, for example 浙江省杭州市下城区. */
export const formatOldLabel = (code: string, separator = ''): string =>
  [
    lookup(code.slice(0, 2))?.name,
    getFormerName(code.slice(0, 4)),
    code.length > 4 ? getFormerName(code) : undefined,
  ]
    .filter(
      (name, index, names) =>
        name && name !== names[index - 1] && name !== '县' && !name.includes('直辖'),
    )
    .join(separator)
