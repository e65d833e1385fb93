import { listFormerNames } from './former-names.ts'
import { lookup } from './index.ts'
import { getSpellings } from './spellings.ts'
import { oldCodes } from './old-codes.ts'
import { loadRegions } from './regions.ts'
import { isGroupingCity } from './tree.ts'

/**
 * `usual` names keep their suffix (前郭县), `bare` ones have none (长沙); `abolished` ones are full names of
 * former units, or former names of present ones.
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
  阿拉善左旗: ['阿左旗'],
  阿拉善右旗: ['阿右旗'],
  阿鲁科尔沁旗: ['阿旗'],
  克什克腾旗: ['克旗'],
  翁牛特旗: ['翁旗'],
  喀喇沁旗: ['喀旗'],
  达拉特旗: ['达旗'],
  准格尔旗: ['准旗'],
  伊金霍洛旗: ['伊旗'],
  鄂托克前旗: ['鄂前旗'],
  苏尼特左旗: ['苏左旗'],
  苏尼特右旗: ['苏右旗'],
  扎赉特旗: ['扎旗'],
  太仆寺旗: ['太旗'],
  呼和浩特市: ['呼市'],
  乌鲁木齐市: ['乌市'],
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
const isSameAsProvince = (code: string, name: string) =>
  code.length === 4 && lookup(code.slice(0, 2))?.name === name

function buildWords(code: string, name: string): [text: string, kind: WordKind][] {
  const [, ...shortForms] = getSpellings(name)
  const getKind = (text: string) =>
    text.length > 2 && /[区州县旗]$/.test(text) && shortForms.length > 1 ? 'usual' : 'bare'
  const isProvince = code.length === 2
  const provinceForms = /自治区$/.test(name)
    ? [`${shortForms.at(-1)!}省`, `${shortForms.at(-1)!}自治区`]
    : []
  return [
    [name, 'official'],
    // The form 新疆区 is not in use.
    ...shortForms
      .filter((text) => !isProvince || text === shortForms.at(-1))
      .map((text) => [text, getKind(text)] as const),
    ...provinceForms.filter((text) => text !== name).map((text) => [text, 'usual'] as const),
    ...(usualNames[name] ?? []).map((text) => [text, text === '内蒙' ? 'bare' : 'usual'] as const),
  ] as [string, WordKind][]
}

/** Returns the map from each name to all regions that have it. */
export function getVocabulary(): ReadonlyMap<string, Word[]> {
  if (vocabulary) return vocabulary
  const wordsByText = new Map<string, Word[]>()
  const addWord = (text: string, word: Word) => {
    const sameTextWords = wordsByText.get(text)
    if (sameTextWords) sameTextWords.push(word)
    else wordsByText.set(text, [word])
  }
  const { provinces, cities, areas } = loadRegions()
  for (const { code, name } of [...provinces, ...cities, ...areas])
    if (!isGroupingCity(name) && !isSameAsProvince(code, name))
      for (const [text, kind] of buildWords(code, name)) addWord(text, { code, kind })
  for (const { code, name } of oldCodes)
    if (!isGroupingCity(name)) addWord(name, { code, kind: 'abolished' })
  for (const { name, codes } of listFormerNames(cities)) {
    for (const code of codes) addWord(name, { code, kind: 'abolished' })
    // 襄樊 is nothing else; 淮阴 and 思茅 are districts today.
    const stem = /^(.{2,})市$/.exec(name)?.[1]
    if (stem && codes[0]!.length === 4 && !wordsByText.has(stem))
      for (const code of codes) addWord(stem, { code, kind: 'bare' })
  }
  return (vocabulary = wordsByText)
}

let longestLength: number | undefined

export const getLongestWordLength = () =>
  (longestLength ??= Math.max(...[...getVocabulary().keys()].map(({ length }) => length)))
