/** These particles precede the object of a sentence. */
export const objectParticles = /^(把|将|给|让)/

const allWords = '(?:全都|统统|通通|全部|所有|全|都)'
const allWordsAtEnd = new RegExp(`的?${allWords}的?$`)
const allWordsAtStart = new RegExp(`^${allWords}的?`)
const wholeProjectPattern = /^(整个项目|全项目|整个园区|全园)$/

/** Returns the candidate names of the place; `isWhole` is set if only a word such as 全部 remains. */
export function parsePlaceNames(placeText: string) {
  const trimmedText = placeText
    .replace(objectParticles, '')
    .replace(/的?亮度$/, '')
    .replace(/的$/, '')
  const nameWithAll = trimmedText
    .replace(allWordsAtEnd, '')
    .replace(/的?(灯光|照明|灯)$/, '')
    .replace(allWordsAtEnd, '')
  const name = nameWithAll.replace(allWordsAtStart, '').replace(/的$/, '')
  const hasAllWord = allWordsAtEnd.test(trimmedText) || allWordsAtStart.test(trimmedText)
  return {
    name,
    // A group may be called 应急灯 while the remaining name is 应急.
    names: new Set([
      // 全楼 is a place, whose first word is also a word for all.
      ...[trimmedText, trimmedText.replace(allWordsAtEnd, ''), nameWithAll, name],
      name.replace(/^整个/, '').replace(/(里面|那边|那里|里)$/, ''),
    ]),
    isWhole: wholeProjectPattern.test(name) || (hasAllWord && (name === '' || name === '楼层')),
    /** 所有会议室 means many rooms, but 会议室的灯全部 means one room with all its lamps. */
    isAll: allWordsAtStart.test(trimmedText),
  }
}
