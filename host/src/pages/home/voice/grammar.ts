import { findTarget, type SpeechContext, type CommandTarget } from './places'
import { objectParticles } from './placeWords'
import { isNotFound } from './spaceNames'
import { findExceptions, splitExceptions, type Exceptions } from './exceptions'
import { maxDelayMinutes } from '@iot/shared/contract/control/delayedControl'
import { splitDelay, type Delay } from './delay'
import { normalizeText } from './normalizeText'
import { hasQuestionMark, interpretQuestion, type Question } from './questions'
import { quoteAsTyped } from './quoteAsTyped'
import { sentencePatterns, type LampChange } from './sentencePatterns'

/** A command that was understood from a sentence. */
export type Command = LampChange &
  CommandTarget & {
    except?: Exceptions
    /** The command starts after this number of minutes. */
    delayMinutes?: number
  }
export type Interpretation =
  | Command
  | Question
  | { kind: 'scene'; id: string; name: string }
  /** The sentence was not understood; `reason` says what would be. */
  | { kind: 'unclear'; why: string }

// `normalizeText` turns 一下, 一点 and 一半 into 1下, 1点 and 1半.
const politePrefix =
  /^([您你]好|现在|马上|立刻|立即|赶紧|请(?!问)|麻烦|帮我|帮忙|给我|我要|我想(?!知道)|能不能|可不可以)+/
const politeSuffix = /(1下|吧|了|啊|呀|哦|谢谢)+$/
const politeRequest = /能不能|可不可以/
const scenePattern =
  /^(?:(?:执行|启动|启用|开始|运行|进入|切换(?:到|成|为)?|切(?:到|成)|换成|(打开|开启|开))(?:1下)?)?(.+?)(场景|模式)?$/
const sceneSuffix = /(场景|模式)$/

/**
 * Interprets a spoken or typed command such as `打开大堂的灯`, `三楼灯全关了`, `A座调到百分之三十`, `大堂调亮一点`, `关闭走廊组`, `关闭所有灯`, `执行下班场景`,
 * or a question such as `大堂的灯关了吗`.
 */
export function interpretSentence(sentence: string, speechContext: SpeechContext): Interpretation {
  const words = normalizeText(sentence)
  const interpretation =
    hasQuestionMark(sentence) && !politeRequest.test(words)
      ? interpretMarkedQuestion(words, sentence, speechContext)
      : interpretNormalized(words, sentence, speechContext)
  return interpretation.kind === 'unclear'
    ? {
        kind: 'unclear',
        why: quoteAsTyped(interpretation.why, sentence, (text) => nameFloors(normalizeText(text))),
      }
    : interpretation
}

/** A sentence with a question mark is never a command: `大堂的灯关了？` asks, and `关大堂的灯？` is not clear. */
function interpretMarkedQuestion(
  words: string,
  sentence: string,
  speechContext: SpeechContext,
): Interpretation {
  const question = interpretNormalized(`${words}吗`, sentence, speechContext)
  if (question.kind === 'question') return question
  const interpretation = interpretNormalized(words, sentence, speechContext)
  return interpretation.kind === 'unclear' || interpretation.kind === 'question'
    ? interpretation
    : {
        kind: 'unclear',
        why: '不清楚是要查询还是控制：查询请说“大堂的灯关了吗”，控制请不要带问号',
      }
}

function interpretNormalized(
  normalizedWords: string,
  sentence: string,
  speechContext: SpeechContext,
): Interpretation {
  const words = trimWords(normalizedWords)
  // A scene may be called 立即关灯, whose first word is a polite one elsewhere.
  const scene = speechContext.scenes.find(({ name }) => normalizeText(name) === normalizedWords)
  const interpretation: Interpretation = scene
    ? { kind: 'scene', id: scene.id, name: scene.name }
    : interpretWords(words, sentence, speechContext)
  if (interpretation.kind !== 'unclear') return interpretation
  // A place may be called 请客厅.
  const untrimmed = interpretWords(normalizedWords, sentence, speechContext)
  if (untrimmed.kind !== 'unclear') return untrimmed
  if (/^(?:取消|撤销|撤回|停止|终止)/.test(words))
    return {
      kind: 'unclear',
      why: '口令不能取消或撤销，请在首页的“延时控制”或“最近的控制”里操作',
    }
  const floorsByName = nameFloors(words)
  if (floorsByName !== words) return interpretNormalized(floorsByName, sentence, speechContext)
  const delay = splitDelay(words)
  if (delay) return interpretDelayed(delay, sentence, speechContext)
  if (timePattern.test(words))
    return {
      kind: 'unclear',
      why: '口令可以立即执行，或延时 1 分钟到 24 小时，例如“十分钟后关掉三层”；别的时间请在场景里设置定时',
    }
  if (/\d\.\d+(?:%|成|$)/.test(words))
    return { kind: 'unclear', why: '亮度请说整数，例如“大堂调到百分之三十”' }
  return interpretException(words, sentence, speechContext) ?? interpretation
}

const maxNamedFloors = 20
/** Names every floor of `1到3层` or `1和2和3层`, whose words are no name of a place. */
const nameFloors = (words: string) =>
  words
    .replace(/(?<![\d负a-z])\d{1,3}(?:和\d{1,3})+(?=层)/, (numbers) =>
      numbers.replace(/和/g, '层和'),
    )
    .replace(/(?<![\d负a-z])(\d{1,3})层?[到至~-](\d{1,3})层/, (range, first, last) => {
      const count = Number(last) - Number(first) + 1
      if (count < 2 || count > maxNamedFloors) return range
      return Array.from({ length: count }, (_, index) => `${Number(first) + index}层`).join('和')
    })

/** Interprets the words without the delay as a command that starts once after it. */
function interpretDelayed(
  { minutes, rest }: Delay,
  sentence: string,
  speechContext: SpeechContext,
): Interpretation {
  const words = trimWords(rest)
  if (minutes > maxDelayMinutes)
    return { kind: 'unclear', why: '口令最多延时 24 小时；更晚的请在场景里设置定时' }
  const now = interpretWords(words, sentence, speechContext)
  const command =
    now.kind === 'unclear' ? (interpretException(words, sentence, speechContext) ?? now) : now
  switch (command.kind) {
    case 'unclear':
      return command
    case 'scene':
      return { kind: 'unclear', why: '场景不能用口令延时，请在场景里设置定时' }
    case 'question':
      return { kind: 'unclear', why: '只能查询灯现在的状态' }
    case 'change':
    case 'tint':
      return { kind: 'unclear', why: '延时请说开、关或调到多少，例如“十分钟后大堂调到百分之三十”' }
    case 'switch':
    case 'brightness':
    case 'temperature':
      return { ...command, delayMinutes: minutes }
  }
}

const trimWords = (words: string) =>
  words.replace(politePrefix, '').replace(objectParticles, '').replace(politeSuffix, '')

/** `10分钟后`, `半小时以后`, `明天`, `晚上8点` */
const timePattern =
  /(?:[\d一二两三四五六七八九十百千]|半|几)个?(?:秒|分|分钟|小时|钟头|天)(?:半|钟)?(?:以后|之后|后)|明天|后天|今晚|(?:早上|上午|中午|下午|晚上)\d|\d点(?:钟|半|\d+分)?[把将关开调]|等(?:会儿?|1下|1会儿?)/

/** `除了大堂都关了`, `关一楼的灯，茶水间留着`; undefined if the sentence has no exception. */
function interpretException(
  words: string,
  sentence: string,
  speechContext: SpeechContext,
): Interpretation | undefined {
  const commands = new Map<string, Command>()
  const reasons: string[] = []
  for (const { commands: candidates, keptPlace, verb } of listSplits(words, sentence)) {
    const command = candidates
      .map((candidate) => interpretWords(trimWords(candidate), candidate, speechContext))
      .find((one) => one.kind !== 'unclear' && one.kind !== 'scene' && one.kind !== 'question')
    if (!command || command.device || (verb && verb !== getVerb(command))) continue
    const except = findExceptions(keptPlace, command, speechContext)
    if (typeof except === 'string') reasons.push(except)
    else if (command.kind === 'change' || command.kind === 'tint')
      reasons.push('要保留一部分，请说调到多少，例如“三层调到百分之六十，会议室不变”')
    else commands.set(JSON.stringify([command, except]), { ...command, except })
  }
  const [command, ...otherCommands] = commands.values()
  if (otherCommands.length > 0)
    return { kind: 'unclear', why: `“${sentence}”可以有两种意思，请换个说法` }
  if (command) return command
  // The other splits cut a name in two, so that their reason would quote words that the user never said.
  const reason = reasons.find((candidate) => !isNotFound(candidate))
  return reason === undefined ? undefined : { kind: 'unclear', why: reason }
}

/** Lists the splits at the first comma of the sentence, or all if there is none: `关A座，冷库留着` is not 关, `A座冷库` kept. */
function listSplits(words: string, sentence: string) {
  const splits = splitExceptions(words)
  const [firstPart = '', ...otherParts] = sentence.split(/[，,；;]/)
  if (otherParts.length === 0) return splits
  const firstWords = normalizeText(firstPart)
  const splitsAtComma = splits.filter(({ commands }) =>
    commands.some((command) => firstWords.endsWith(command)),
  )
  return splitsAtComma.length > 0 ? splitsAtComma : splits
}

const getVerb = (command: Command) =>
  command.kind === 'switch' ? (command.on ? '开' : '关') : '调'

function interpretWords(
  words: string,
  sentence: string,
  speechContext: SpeechContext,
): Interpretation {
  if (!words) return { kind: 'unclear', why: '请说出要做什么，例如“关闭大堂的灯”' }

  const floorWords = twoFloorsPattern.exec(sentence)?.[0]
  const isPartOfName = (floors: string) =>
    [
      ...speechContext.scenes,
      ...(speechContext.groups ?? []),
      ...speechContext.tree.ordered(),
    ].some(({ name }) => name.includes(floors))
  if (floorWords && !isPartOfName(floorWords))
    return {
      kind: 'unclear',
      why: `“${floorWords}层”可能是${floorWords.length === 2 ? '两' : '几'}层，请说“${nameEachFloor(floorWords)}”`,
    }

  if (closedFloorAbovePattern.test(sentence) && !isPartOfName('上一层'))
    return {
      kind: 'unclear',
      why: '“关上一层”可能是一层，也可能是上面一层，请说“关闭一层”，或说出是第几层',
    }

  if (countedFloorsPattern.test(sentence) && !isPartOfName('两层'))
    return {
      kind: 'unclear',
      why: '“两层”可能是二层，也可能是两个楼层，请说“二层”，或说出每一层',
    }

  const scene = findScene(words, speechContext)
  if (scene) return scene

  const question = interpretQuestion(words, speechContext)
  if (question !== undefined)
    return typeof question === 'string' ? { kind: 'unclear', why: question } : question

  const commands: Command[] = []
  const reasons: string[] = []
  for (const [pattern, createChange] of sentencePatterns) {
    const matchGroups = pattern.exec(words)?.groups
    if (!matchGroups) continue
    const target = findTarget(matchGroups.place ?? '', speechContext)
    if (typeof target === 'string') reasons.push(target)
    else commands.push({ ...createChange(matchGroups), ...target })
  }
  const [command, ...otherCommands] = commands
  if (command && otherCommands.some((candidate) => !isSameCommand(candidate, command)))
    return { kind: 'unclear', why: `“${sentence}”可以有两种意思，请换个说法` }
  if (command?.kind === 'brightness' && command.value > 100)
    return {
      kind: 'unclear',
      why: `亮度最多 100%，说的是 ${command.value}%${describeTemperatureHint(command.value)}`,
    }
  if (command?.kind === 'temperature' && (command.value < 1000 || command.value > 20_000))
    return { kind: 'unclear', why: `灯没有 ${command.value}K 的色温，常用 2700K 到 6500K` }
  if (command) return command
  // The most likely reason concerns a name that exists in several places, otherwise the shortest name that was not
  // found.
  const [reason = describeMisunderstanding(sentence)] = reasons
    .filter((candidate) => !/色温[^”]{0,3}”$/.test(candidate))
    .sort(
      (first, second) =>
        Number(isNotFound(first)) - Number(isNotFound(second)) || first.length - second.length,
    )
  return { kind: 'unclear', why: reason }
}

/** Finds a scene by name; 会议 also finds the scene 会议模式 if no scene has exactly that name. */
function findScene(words: string, speechContext: SpeechContext): Interpretation | undefined {
  const [, switchVerb, spokenName = '', kind = ''] = scenePattern.exec(words) ?? []
  const findScenes = (predicate: (name: string) => boolean) =>
    speechContext.scenes.filter(({ name }) => predicate(normalizeText(name)))
  const [exactScene] = findScenes((name) => name === words || name === spokenName + kind)
  const matchingScenes = exactScene
    ? [exactScene]
    : findScenes((name) => name.replace(sceneSuffix, '') === spokenName)
  const [one, other] = matchingScenes
  if (!one) return undefined
  if (other)
    return {
      kind: 'unclear',
      why: `“${spokenName}”可能是场景“${one.name}”或“${other.name}”，请说全名`,
    }
  // 打开 also means switching lights on, so a scene name that is also a place is ambiguous.
  if (switchVerb && !kind && isKnownPlace(spokenName, speechContext))
    return {
      kind: 'unclear',
      why: `“${spokenName}”可以是场景，也可以是那里的灯，请说“执行${one.name}”或“打开${spokenName}的灯”`,
    }
  return { kind: 'scene', id: one.id, name: one.name }
}
function isKnownPlace(placeName: string, speechContext: SpeechContext) {
  const target = findTarget(placeName, speechContext)
  return typeof target !== 'string' || !isNotFound(target)
}

/** 一二层 means two floors and not floor twelve, which `parseChineseNumber` would return. */
const twoFloorsPattern = /(?<![零〇一二两三四五六七八九十百])[一二两三四五六七八九]{2,}(?=[楼层])/
/** 两 counts: 两层 are two floors, although floor two may be meant; 十两层 is no number. */
const countedFloorsPattern = /(?<![第零〇一二三四五六七八九十百千\d])两(?=[楼层])/
/** 关上 means to close; 上一层 is the floor above or below. */
const closedFloorAbovePattern = /关上\s*[一1]\s*[层楼]/
const nameEachFloor = (digits: string) => Array.from(digits, (digit) => `${digit}层`).join('和')

const describeMisunderstanding = (sentence: string) =>
  sentence.includes('色温')
    ? '色温请说“大堂调暖一点”或“大堂色温调到 4000K”'
    : `没有听懂“${sentence}”，可以说“打开三层会议室的灯”`

const describeTemperatureHint = (value: number) =>
  value < 1000 ? '' : `；色温请说“调到 ${value}K”`
const isSameCommand = (first: Command, second: Command) =>
  JSON.stringify(first) === JSON.stringify(second)
