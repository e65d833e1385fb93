import { isLost, objects, whereOf, type Known, type Where } from './places'
import { plain } from './plain'

type Meant =
  | { kind: 'switch'; on: boolean }
  | { kind: 'brightness'; value: number }
  /** `by` changes the brightness by percentage points. */
  | { kind: 'change'; by: number }
  /** `value` is the colour temperature in kelvin. */
  | { kind: 'temperature'; value: number }
  /** `by` changes the colour temperature in kelvin; the sign tells cooler from warmer. */
  | { kind: 'tint'; by: number }
/** A command that was understood from a sentence. */
export type Command = Meant & Where
export type Understood =
  | Command
  | { kind: 'scene'; id: string; name: string }
  /** The sentence was not understood; `why` says what would be. */
  | { kind: 'unclear'; why: string }

// `plain` turns 一下, 一点 and 一半 into 1下, 1点 and 1半.
const polite = /^(请|麻烦|帮我|帮忙|给我|我要|我想|能不能|可不可以)+/
const endings = /(1下|吧|了|啊|呀|哦|嘛|谢谢)+$/
const runs =
  /^(?:(?:执行|启动|启用|开始|运行|进入|切换(?:到|成|为)?|切(?:到|成)|换成|(打开|开启|开))(?:1下)?)?(.+?)(场景|模式)?$/
const kindOfScene = /(场景|模式)$/

const on = '(?:打开|开启|点亮|开)'
const off = '(?:关闭|关掉|关上|熄灭|关)'
const place = '(?<place>.*?)'
const value = '(?<value>%\\d+|\\d+%?|\\d成|1半|最[亮大高暗小低])'
const to = '(?:到|成|至|为)'
const set = '(?:调|设|改|升|降)(?:亮|暗|高|低|大|小|整|节|置|定)?'
const way = '(?<way>亮|高|大|暗|低|小)'
const kelvin = '(?<kelvin>\\d+)(?:k|开尔文|开)'
const tint = '(?<tint>暖|冷)'
const kelvins = '(?<tint>高|大|低|小)'
const little = '(?:1点|1些|点|些)'
/** The brightness changes by this number of percentage points if the sentence names none. */
const step = 20
/** The colour temperature changes by this number of kelvin if the sentence names none. */
const tintStep = 500

type Said = Partial<Record<string, string>>
const switched = (on: boolean) => (): Meant => ({ kind: 'switch', on })
const level = ({ value = '' }: Said): Meant => ({ kind: 'brightness', value: amountOf(value) })
const change = ({ way = '', value }: Said): Meant => ({
  kind: 'change',
  by: (/[亮高大]/.test(way) ? 1 : -1) * (value ? amountOf(value) : step),
})
const temperature = ({ kelvin }: Said): Meant => ({ kind: 'temperature', value: Number(kelvin) })
const tinted = ({ tint = '' }: Said): Meant => ({
  kind: 'tint',
  by: /[暖低小]/.test(tint) ? -tintStep : tintStep,
})
/**
 * Possible readings of a sentence, each with the words it leaves for the place; a reading counts if its place exists.
 */
const readings = (
  [
    [`${on}(?:1下)?${place}`, switched(true)],
    [`${place}(?:${on}|亮起来)灯?`, switched(true)],
    [`${off}(?:1下)?${place}`, switched(false)],
    [`${place}${off}灯?`, switched(false)],
    [`${place}(?:的?亮度)?${set}(?:亮度)?${to}?${value}(?:的?亮度)?`, level],
    [`${place}(?:的?亮度)?开${to}${value}(?:的?亮度)?`, level],
    [`${place}开(?<value>1半)`, level],
    [`${place}的?亮度${to}?${value}`, level],
    [`${place}(?<value>%\\d+|\\d+%)(?:的?亮度)?`, level],
    [`(?:调|设|改|降低|提高)${place}(?:的?亮度)?${to}${value}`, level],
    [`${place}(?:再|稍微)?调${way}${little}?(?:亮度)?(?<value>%\\d+|\\d+%)?`, change],
    [`${place}(?:再|稍微)?(?<way>亮|暗)${little}`, change],
    [`(?:再|稍微)?调${way}${little}?${place}(?:的?亮度)?`, change],
    [`${place}(?:的?亮度)(?:再|稍微)?[提调降]${way}${little}?`, change],
    [`[提调降]${way}${place}的?亮度`, change],
    [`${place}(?:的?色温)?${set}(?:色温)?${to}?${kelvin}(?:的?色温)?`, temperature],
    [`${place}的?色温(?:${set})?${to}?(?<kelvin>\\d{4,5})k?`, temperature],
    [`(?:调|设|改)${place}的?色温${to}(?<kelvin>\\d{4,5})(?:k|开尔文|开)?`, temperature],
    [`${place}(?:的?色温)?(?:再|稍微)?调${tint}${little}?`, tinted],
    [`${place}(?:的?色温)?(?:再|稍微)?${tint}${little}`, tinted],
    [`(?:再|稍微)?调${tint}${little}?${place}(?:的?色温)?`, tinted],
    [`${place}的?色温(?:再|稍微)?[提调升降]${kelvins}${little}?`, tinted],
    [`${place}的?色温(?:再|稍微)?${kelvins}${little}`, tinted],
    [`(?:再|稍微)?[提调升降]${kelvins}${little}?${place}的?色温`, tinted],
  ] as const
).map(([pattern, meant]) => [new RegExp(`^${pattern}$`), meant] as const)

function amountOf(said: string) {
  if (/^最[亮大高]$/.test(said)) return 100
  if (/^最[暗小低]$/.test(said)) return 1
  if (said === '1半') return 50
  return Number(said.replace(/[%成]/g, '')) * (said.endsWith('成') ? 10 : 1)
}

/** `打开大堂的灯`, `三楼灯全关了`, `A座调到百分之三十`, `大堂调亮一点`, `关闭走廊组`, `关闭所有灯`, `执行下班场景`. */
export function understand(said: string, known: Known): Understood {
  const words = plain(said).replace(polite, '').replace(objects, '').replace(endings, '')
  if (!words) return { kind: 'unclear', why: '请说出要做什么，例如“关闭大堂的灯”' }

  const floors = severalFloors.exec(said)?.[0]
  const isName = (floors: string) =>
    [...known.scenes, ...(known.groups ?? []), ...known.tree.ordered()].some(({ name }) =>
      name.includes(floors),
    )
  if (floors && !isName(floors))
    return { kind: 'unclear', why: `“${floors}层”可能是两层，请说“${bothOf(floors)}”` }

  const scene = sceneOf(words, known)
  if (scene) return scene

  const commands: Command[] = []
  const whys: string[] = []
  for (const [pattern, meant] of readings) {
    const said = pattern.exec(words)?.groups
    if (!said) continue
    const where = whereOf(said.place ?? '', known)
    if (typeof where === 'string') whys.push(where)
    else commands.push({ ...meant(said), ...where })
  }
  const [command, ...others] = commands
  if (command && others.some((one) => !isSame(one, command)))
    return { kind: 'unclear', why: `“${said}”可以有两种意思，请换个说法` }
  if (command?.kind === 'brightness' && command.value > 100)
    return { kind: 'unclear', why: `亮度最多 100%，说的是 ${command.value}%${hint(command.value)}` }
  if (command?.kind === 'temperature' && (command.value < 1000 || command.value > 20_000))
    return { kind: 'unclear', why: `灯没有 ${command.value}K 的色温，常用 2700K 到 6500K` }
  if (command) return command
  // The most likely reason concerns a name that exists in several places, otherwise the shortest name that was not
  // found.
  const [why = notUnderstood(said)] = whys
    .filter((one) => !/色温[^”]{0,3}”$/.test(one))
    .sort((one, other) => Number(isLost(one)) - Number(isLost(other)) || one.length - other.length)
  return { kind: 'unclear', why }
}

/** Finds a scene by name; 会议 also finds the scene 会议模式 if no scene has exactly that name. */
function sceneOf(words: string, known: Known): Understood | undefined {
  const [, opens, spoken = '', kind = ''] = runs.exec(words) ?? []
  const called = (is: (name: string) => boolean) =>
    known.scenes.filter(({ name }) => is(plain(name)))
  const [exact] = called((name) => name === words || name === spoken + kind)
  const some = exact ? [exact] : called((name) => name.replace(kindOfScene, '') === spoken)
  const [one, other] = some
  if (!one) return undefined
  if (other)
    return {
      kind: 'unclear',
      why: `“${spoken}”可能是场景“${one.name}”或“${other.name}”，请说全名`,
    }
  // 打开 also means switching lights on, so a scene name that is also a place is ambiguous.
  if (opens && !kind && isSomewhere(spoken, known))
    return {
      kind: 'unclear',
      why: `“${spoken}”可以是场景，也可以是那里的灯，请说“执行${one.name}”或“打开${spoken}的灯”`,
    }
  return { kind: 'scene', id: one.id, name: one.name }
}
function isSomewhere(spoken: string, known: Known) {
  const where = whereOf(spoken, known)
  return typeof where !== 'string' || !isLost(where)
}

/** 一二层 means two floors and not floor twelve, which `chineseNumber` would return. */
const severalFloors = /(?<![零〇一二两三四五六七八九十百])[一二两三四五六七八九]{2}(?=[楼层])/
const bothOf = ([one, other]: string) => `${one}层和${other}层`

const notUnderstood = (said: string) =>
  said.includes('色温')
    ? '色温请说“大堂调暖一点”或“大堂色温调到 4000K”'
    : `没有听懂“${said}”，可以说“打开三层会议室的灯”`

const hint = (value: number) => (value < 1000 ? '' : `；色温请说“调到 ${value}K”`)
const isSame = (one: Command, other: Command) => JSON.stringify(one) === JSON.stringify(other)
