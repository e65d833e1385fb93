import { findTarget, type CommandTarget, type SpeechContext } from './places'

/** A question about lamps; it sends nothing. */
export type Question = {
  kind: 'question'
  /** How many lamps are on, whether they are on, or which places or floors still have lamps that are on. */
  asks: 'count' | 'state' | 'places' | 'floors'
} & CommandTarget

const leadPattern = '(?:现在|目前|当前|请问|看看|看1?下|查1?下|查查|查询|告诉我|我想知道)*'
/** A modal verb asks whether one may switch, not for the state. */
const placePattern = '(?<place>.*?)(?<!能|可以|要|该|会|怎么|什么)'
const adverbsPattern = '(?:现在|目前|当前|还|都|全|部|已经|是不是|是否|是|也|统统)*'
const litPattern = '(?:[开亮]着|没有?关|没有?灭)'
const endPattern = '(?:吗|嘛|么|没有|没|不)'
const placesPattern =
  '哪里|哪儿|哪些?地方|什么地方|哪(?:些|个|几个)房间|哪(?:些|个|几个)区域|哪些灯|哪几?盏灯'
const floorsPattern = '哪1?层楼?|哪几层楼?|哪些楼?层|哪些楼层'

/** The questions with the words that they leave for the place. */
const questionPatterns = (
  [
    // `现在开着几盏灯`, `三层还有多少灯亮着`
    [
      `${placePattern}的?(?:现在)?[还共1]?有?(?:[开亮关]着的?有?(?:几|多少)盏?灯?|(?:几|多少)盏?灯?是?[开亮关]着的?)`,
      'count',
    ],
    // `大堂还有几盏没关`, `A座有多少盏灯没开`
    [`${placePattern}的?(?:现在)?[还共1]?有?(?:几|多少)盏灯?(?:还|是)?没有?[关开亮灭]的?`, 'count'],
    // `大堂的灯关了吗`, `A座的灯全关了没有`, `大堂的灯还亮着吗`
    [
      `${placePattern}${adverbsPattern}(?:没有?[开关]灯|没?(?:打开|关闭|关掉|关上|关好|熄灭|点亮|[开关亮灭熄])(?:着|了|掉了|的|着的|灯了|着灯)?)${endPattern}`,
      'state',
    ],
    // `大堂的灯关没关`, `大堂灯亮不亮`
    [`${placePattern}${adverbsPattern}(?:[关开亮]没[关开亮]|亮不亮)[着灯]?`, 'state'],
    // `大堂灯是开着还是关着`
    [`${placePattern}${adverbsPattern}[开亮关]着?的?还是[开亮关灭][着了]?的?`, 'state'],
    // `三楼还有灯亮着吗`, `三楼有没有灯没关`
    [
      `${placePattern}${adverbsPattern}有(?:没有)?(?:什么|哪盏)?灯[还是在]*${litPattern}的?${endPattern}?`,
      'state',
    ],
    // `三楼还有开着的灯吗`
    [`${placePattern}${adverbsPattern}有(?:没有)?${litPattern}的灯?${endPattern}?`, 'state'],
    // `大堂的灯什么状态`, `大堂的灯怎么样`
    [`${placePattern}${adverbsPattern}[什啥]么?状态`, 'state'],
    [`${placePattern}(?:灯的?状态|灯)${adverbsPattern}(?:怎么样|如何)`, 'state'],
    // `A座哪些房间灯没关`, `还有哪里亮着灯`
    [buildLitPlacesPattern(placesPattern), 'places'],
    [buildLitPlacesPattern(floorsPattern), 'floors'],
  ] as const
).map(([pattern, asks]) => [new RegExp(`^${leadPattern}${pattern}呢?$`), asks] as const)

function buildLitPlacesPattern(places: string) {
  return `${placePattern}${adverbsPattern}有?(?:${places})的?灯?(?:现在|还|是|都|有)*灯?(?:${litPattern}的?灯?|有灯)`
}

/** Finds the question in normalised words, or returns the reason as text if its place is missing or ambiguous. */
export function interpretQuestion(
  words: string,
  speechContext: SpeechContext,
): Question | string | undefined {
  const reasons: string[] = []
  for (const [pattern, asks] of questionPatterns) {
    const place = pattern.exec(words)?.groups?.place
    if (place === undefined) continue
    // Who asks where lamps are on means more than the floor that is shown.
    const isAnywhere = place === '' && (asks === 'places' || asks === 'floors')
    const target = isAnywhere ? {} : findTarget(place, speechContext)
    if (typeof target !== 'string') return { kind: 'question', asks, ...target }
    reasons.push(target)
  }
  // A longer place still contains words of the question.
  return reasons.toSorted((first, second) => first.length - second.length)[0]
}

/** The mark is lost in normalised words, and a command must not be carried out because of it: `关大堂的灯？谢谢`. */
export const hasQuestionMark = (sentence: string) => /[?？]/.test(sentence)
