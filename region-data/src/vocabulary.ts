import { lookup } from './index.ts'
import { spellingsOf } from './names.ts'
import { oldCodes } from './old-codes.ts'
import { regions } from './regions.ts'
import { isGathering } from './tree.ts'

/**
 * `usual` names keep their suffix (前郭县), `bare` ones have none (长沙); `abolished` ones are full names of former units.
 */
export type WordKind = 'official' | 'usual' | 'bare' | 'abolished'
export type Word = { readonly code: string; readonly kind: WordKind }

/** These short forms cannot be derived from the full name by a rule. */
const usualNames: Record<string, string[]> = {
  前郭尔罗斯蒙古族自治县: ['前郭县'],
  喀喇沁左翼蒙古族自治县: ['喀左县'],
  阜新蒙古族自治县: ['阜蒙县'],
  杜尔伯特蒙古族自治县: ['杜蒙县'],
  塔什库尔干塔吉克自治县: ['塔县'],
  察布查尔锡伯自治县: ['察县'],
  和布克赛尔蒙古自治县: ['和丰县'],
  巴音郭楞蒙古自治州: ['巴州'],
  博尔塔拉蒙古自治州: ['博州'],
  克孜勒苏柯尔克孜自治州: ['克州'],
  西双版纳傣族自治州: ['版纳州'],
  锡林郭勒盟: ['锡盟'],
  阿拉善盟: ['阿盟'],
  莫力达瓦达斡尔族自治旗: ['莫旗'],
  科尔沁右翼前旗: ['科右前旗'],
  科尔沁右翼中旗: ['科右中旗'],
  科尔沁左翼中旗: ['科左中旗'],
  科尔沁左翼后旗: ['科左后旗'],
  土默特左旗: ['土左旗'],
  土默特右旗: ['土右旗'],
  达尔罕茂明安联合旗: ['达茂旗', '达茂联合旗'],
  察哈尔右翼前旗: ['察右前旗'],
  察哈尔右翼中旗: ['察右中旗'],
  察哈尔右翼后旗: ['察右后旗'],
  新巴尔虎左旗: ['新左旗'],
  新巴尔虎右旗: ['新右旗'],
  陈巴尔虎旗: ['陈旗'],
  东乌珠穆沁旗: ['东乌旗'],
  西乌珠穆沁旗: ['西乌旗'],
  乌拉特前旗: ['乌前旗'],
  乌拉特中旗: ['乌中旗'],
  乌拉特后旗: ['乌后旗'],
  内蒙古自治区: ['内蒙'],
}

let vocabulary: ReadonlyMap<string, Word[]> | undefined

/** 北京市 as a city adds no meaning to 北京市 as a province. */
const repeatsProvince = (code: string, name: string) =>
  code.length === 4 && lookup(code.slice(0, 2))?.name === name

function wordsOf(code: string, name: string): [text: string, kind: WordKind][] {
  const [, ...short] = spellingsOf(name)
  const kindOf = (text: string) =>
    text.length > 2 && /[区州县旗]$/.test(text) && short.length > 1 ? 'usual' : 'bare'
  const isProvince = code.length === 2
  const ofProvince = /自治区$/.test(name) ? [`${short.at(-1)!}省`, `${short.at(-1)!}自治区`] : []
  return [
    [name, 'official'],
    // The form 新疆区 is not in use.
    ...short
      .filter((text) => !isProvince || text === short.at(-1))
      .map((text) => [text, kindOf(text)] as const),
    ...ofProvince.filter((text) => text !== name).map((text) => [text, 'usual'] as const),
    ...(usualNames[name] ?? []).map((text) => [text, text === '内蒙' ? 'bare' : 'usual'] as const),
  ] as [string, WordKind][]
}

/** Returns the map from each name to all regions that have it. */
export function words(): ReadonlyMap<string, Word[]> {
  if (vocabulary) return vocabulary
  const all = new Map<string, Word[]>()
  const add = (text: string, word: Word) => {
    const known = all.get(text)
    if (known) known.push(word)
    else all.set(text, [word])
  }
  const { provinces, cities, areas } = regions()
  for (const { code, name } of [...provinces, ...cities, ...areas])
    if (!isGathering(name) && !repeatsProvince(code, name))
      for (const [text, kind] of wordsOf(code, name)) add(text, { code, kind })
  for (const { code, name } of oldCodes)
    if (!isGathering(name)) add(name, { code, kind: 'abolished' })
  return (vocabulary = all)
}

let longest: number | undefined

export const longestWord = () =>
  (longest ??= Math.max(...[...words().keys()].map(({ length }) => length)))
