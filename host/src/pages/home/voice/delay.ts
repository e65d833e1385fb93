/** A delay in a sentence, and the sentence without it. */
export type Delay = { minutes: number; rest: string }

const durationPattern =
  '(?<![\\d.])(?:半个?(?:小时|钟头)|\\d+刻钟|\\d+(?:\\.\\d+)?个?半?(?:小时|钟头)半?(?:[零又和]?\\d+分钟?)?|\\d+分钟?)'
const delayPattern = new RegExp(
  `(?:再?[过等](?<after>${durationPattern})(?:以后|之后|后)?|(?<before>${durationPattern})(?:以后|之后|过后|后))`,
)

/** Finds a delay in normalised words: `10分钟后`, `过半小时`, `1个半小时以后`, `1小时30分钟后`, `1.5小时后`, `1刻钟后`. */
export function splitDelay(words: string): Delay | undefined {
  const match = delayPattern.exec(words)
  if (!match) return undefined
  const minutes = parseDuration(match.groups!.after ?? match.groups!.before!)
  if (minutes === 0 || !Number.isInteger(minutes)) return undefined
  const rest = words.slice(0, match.index) + words.slice(match.index + match[0].length)
  return { minutes, rest }
}

function parseDuration(text: string) {
  if (text.startsWith('半')) return 30
  const readNumber = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)
  const half = /半/.test(text) ? 30 : 0
  return (
    readNumber(/(\d+)刻钟/) * 15 +
    readNumber(/(\d+(?:\.\d+)?)个?半?(?:小时|钟头)/) * 60 +
    half +
    readNumber(/(\d+)分/)
  )
}
