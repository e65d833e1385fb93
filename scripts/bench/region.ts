import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { transformSync } from '@swc/core'
import { areas, lookup } from 'region-data'
import { search } from 'region-data/search'

type Line = { what: string; is: number; limit: number; holds: boolean }

const source = join(import.meta.dirname, '../../region-data')
const minifyFile = (file: string) =>
  transformSync(readFileSync(join(source, file), 'utf8'), {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript' },
      minify: { compress: true, mangle: true },
    },
    minify: true,
    module: { type: 'es6' },
  }).code

/** Returns the compressed size of the modules of one entry point that no other entry point includes. */
function measureSizes(...files: string[]) {
  const text = files.map(minifyFile).join('')
  return {
    brotli: brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length,
    gzip: gzipSync(text, { level: 9 }).length,
  }
}

function checkSizes(): Line[] {
  const core = measureSizes(
    'data/regions.ts',
    'src/decode.ts',
    'src/regions.ts',
    'src/lazy.ts',
    'src/index.ts',
  )
  return [
    checkAtMost('数据与解码 brotli-11（字节）', core.brotli, 15_000),
    checkAtMost('数据与解码 gzip-9（字节）', core.gzip, 17_000),
    checkAtMost(
      '拼音 brotli-11（字节）',
      measureSizes('data/pinyin.ts', 'src/pinyin.ts').brotli,
      3_300,
    ),
    checkAtMost(
      '旧代码 brotli-11（字节）',
      measureSizes('data/old-codes.ts', 'src/old-codes.ts').brotli,
      3_100,
    ),
  ]
}

const checkAtMost = (label: string, measured: number, limit: number): Line => ({
  what: label,
  is: measured,
  limit,
  holds: measured <= limit,
})
const checkAtLeast = (label: string, measured: number, limit: number): Line => ({
  what: label,
  is: measured,
  limit,
  holds: measured >= limit,
})

/** Returns the milliseconds of one call as the median of nine rounds. */
function measureMs(rounds: number, call: (round: number) => unknown): number {
  const runRound = () => {
    const start = performance.now()
    for (let round = 0; round < rounds; round++) call(round)
    return (performance.now() - start) / rounds
  }
  return Array.from({ length: 9 }, runRound).sort((a, b) => a - b)[4]!
}

function checkLookupRatio(): Line {
  const list = [...areas]
  const codes = list.map(({ code }) => code)
  const pickCode = (round: number) => codes[(round * 1009) % codes.length]!
  const findMs = measureMs(2_000, (round) => list.find(({ code }) => code === pickCode(round)))
  const lookupMs = measureMs(200_000, (round) => lookup(pickCode(round), 'area'))
  return checkAtLeast('lookup 比 Array.find 快（倍）', Math.round(findMs / lookupMs), 100)
}

const queries = [
  's',
  'sz',
  'szns',
  'xian',
  'guangdongshengshenzhenshi',
  '山',
  '深圳南山',
  '广东省深圳市南山区',
  '4',
  '440305',
  'aaaaaaaaaaaaaaaaaaaa',
]

function checkSlowestSearch(): Line {
  search('预热')
  const slowest = Math.max(...queries.map((query) => measureMs(20, () => search(query))))
  return checkAtMost('最慢的搜索（毫秒）', Number(slowest.toFixed(2)), 2)
}

export default async function run() {
  const lines = [...checkSizes(), checkLookupRatio(), checkSlowestSearch()]
  console.table(lines)
  if (lines.some(({ holds }) => !holds)) process.exitCode = 1
}
