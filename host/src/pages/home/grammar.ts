import type { Space } from '@iot/shared/contract/project'
import type { SpaceTree } from '@iot/shared/plan/spaces'

type Named = { id: string; name: string }
type Meant =
  | { kind: 'switch'; on: boolean }
  | { kind: 'brightness'; value: number }
  /** By so much of a hundred brighter or darker than now. */
  | { kind: 'change'; by: number }
  /** The colour of the light, in kelvin. */
  | { kind: 'temperature'; value: number }
  /** By so many kelvin cooler, or warmer, than now. */
  | { kind: 'tint'; by: number }
/** Of none of them, the whole project is meant; `spaces` are two or more. */
type Where = { space?: Space; group?: Named; spaces?: Space[] }
/** What somebody asked for in words. */
export type Command = Meant & Where
export type Understood =
  | Command
  | { kind: 'scene'; id: string; name: string }
  /** Not understood, and what would be. */
  | { kind: 'unclear'; why: string }

type Known = {
  tree: SpaceTree
  scenes: readonly Named[]
  groups?: readonly Named[]
  /** What is looked at: it is meant where no place is said, and where a name stands in several. */
  here?: Space
  /** The group that is chosen: where no place is said it is meant, and not the place. */
  hereGroup?: Named
}

const digits: Record<string, number> = {
  ...{ 零: 0, 〇: 0, 一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9 },
}
const units: Record<string, number> = { 十: 10, 百: 100, 千: 1000 }

/**
 * `二十五` → 25, `一百零八` → 108, `三千五` → 3500; digits that only follow each other are read one by one: `二〇三` → 203. NaN of
 * what is larger than thousands.
 */
export function chineseNumber(text: string) {
  const letters = [...text]
  if (!letters.every((letter) => letter in digits || letter in units)) return NaN
  if (!letters.some((letter) => letter in units))
    return Number(letters.map((letter) => digits[letter]).join(''))
  let sum = 0
  let digit: number | undefined
  /** What a digit at the end counts. */
  let last = 1
  for (const letter of letters) {
    const unit = units[letter]
    if (unit === undefined) {
      digit = digits[letter]
      if (digit === 0) last = 1
    } else {
      sum += (digit ?? 1) * unit
      digit = undefined
      last = unit / 10
    }
  }
  return sum + (digit ?? 0) * last
}

/** Names and words in one form: no spaces and marks, small letters, digits, % for 百分之, 层 for 楼 and F behind a number, 和 for 、, 1号 for 第一 and 1#. */
export const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/、/g, '和')
    .replace(/[\s，。！？,.!?"“”]/g, '')
    .replace(/％/g, '%')
    .replace(/百分之/g, '%')
    .replace(/[零〇一二两三四五六七八九十百千]+/g, (number) => String(chineseNumber(number)))
    .replace(/第(\d+)(?=[层楼f])/g, '$1')
    .replace(/第(\d+)号?|(\d+)#/g, '$1$2号')
    .replace(/(\d)(楼|f(?![a-z]))/g, '$1层')

// 1下, 1点 and 1半 are what `plain` makes of 一下, 一点 and 一半.
const polite = /^(请|麻烦|帮我|帮忙|给我|我要|我想|能不能|可不可以)+/
const endings = /(1下|吧|了|啊|呀|哦|嘛|谢谢)+$/
const objects = /^(把|将|给|让)/
const runs =
  /^(?:(?:执行|启动|启用|开始|运行|进入|切换(?:到|成|为)?|切(?:到|成)|换成|打开|开启|开)(?:1下)?)?(.+?)(场景|模式)?$/
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
/** Of a hundred, where nobody says by how much. */
const step = 20
/** In kelvin, likewise. */
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
/** What a sentence may mean, each reading with the place it leaves: the one whose place is there is meant. */
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

const every = '(?:全都|统统|通通|全部|所有|全|都)'
const everyAtEnd = new RegExp(`的?${every}的?$`)
const everyAhead = new RegExp(`^${every}的?`)
const whole = /^(整个项目|全项目|整个园区|全园)$/

/** What may name the place; `isWhole` where nothing but 全部 is left of it. */
function namesIn(spoken: string) {
  const said = spoken
    .replace(objects, '')
    .replace(/的?亮度$/, '')
    .replace(/的$/, '')
  const name = said
    .replace(everyAtEnd, '')
    .replace(/的?(灯光|照明|灯)$/, '')
    .replace(everyAtEnd, '')
    .replace(everyAhead, '')
    .replace(/的$/, '')
  const isEvery = everyAtEnd.test(said) || everyAhead.test(said)
  return {
    name,
    // A group may be called 应急灯, of which the name is 应急.
    names: new Set([
      ...[said, said.replace(everyAtEnd, ''), name],
      name.replace(/^整个/, '').replace(/(里面|那边|那里|里)$/, ''),
    ]),
    isWhole: whole.test(name) || (isEvery && (name === '' || name === '楼层')),
    /** 所有会议室 are many; 会议室的灯全部 is one, with all of its lamps. */
    isAll: everyAhead.test(said),
  }
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

  const scene = sceneOf(words, known.scenes)
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
  // The shortest name that was not found is the likeliest; one that was found in several places is likelier.
  const [why = notUnderstood(said)] = whys
    .filter((one) => !/色温[^”]{0,3}”$/.test(one))
    .sort((one, other) => Number(isLost(one)) - Number(isLost(other)) || one.length - other.length)
  return { kind: 'unclear', why }
}

/** 会议 is the scene 会议模式, too, where none is called just so. */
function sceneOf(words: string, scenes: readonly Named[]): Understood | undefined {
  const [, spoken = '', kind = ''] = runs.exec(words) ?? []
  const called = (is: (name: string) => boolean) => scenes.filter(({ name }) => is(plain(name)))
  const [exact] = called((name) => name === words || name === spoken + kind)
  const some = exact ? [exact] : called((name) => name.replace(kindOfScene, '') === spoken)
  const [one, other] = some
  if (!one) return undefined
  if (other)
    return {
      ...{ kind: 'unclear', why: `“${spoken}”可能是场景“${one.name}”或“${other.name}”，请说全名` },
    }
  return { kind: 'scene', id: one.id, name: one.name }
}

/** 一二层 is no twelfth floor, as `chineseNumber` has it. */
const severalFloors = /(?<![零〇一二两三四五六七八九十百])[一二两三四五六七八九]{2}(?=[楼层])/
const bothOf = ([one, other]: string) => `${one}层和${other}层`

const notUnderstood = (said: string) =>
  said.includes('色温')
    ? '色温请说“大堂调暖一点”或“大堂色温调到 4000K”'
    : `没有听懂“${said}”，可以说“打开三层会议室的灯”`

const hint = (value: number) => (value < 1000 ? '' : `；色温请说“调到 ${value}K”`)
const isSame = (one: Command, other: Command) => JSON.stringify(one) === JSON.stringify(other)
const lost = '没有找到'
const isLost = (why: string) => why.startsWith(lost)

/** Where is meant; why not where that is not clear. */
function whereOf(spoken: string, known: Known): Where | string {
  const one = oneOf(spoken, known)
  if (typeof one !== 'string' || !isLost(one)) return one
  const { name } = namesIn(spoken)
  const parts = partsOf(name, known)
  if (typeof parts === 'string') return isLost(parts) ? one : parts
  if (parts.some((last, n) => isForAll(last, parts.slice(0, n), known.tree)))
    return `“${name}”可以有两种意思，请分开说`
  const spaces = [...new Set(parts.map(({ space }) => space))]
  return spaces.length > 1 ? { spaces } : { space: spaces[0] }
}

/** One of several places, and whether what it lies in was said, too. */
type Part = { space: Space; isWithin: boolean }

/** `大堂和走廊`, `二层、三层以及四层`: what comes later is looked for near what comes before it. Else why not. */
function partsOf(name: string, known: Known, beside?: Space): Part[] | string {
  const whys: string[] = []
  for (const { index, 0: word } of name.matchAll(/以及|[和跟与及]/g)) {
    const head = partOf(name.slice(0, index), known, beside)
    if (typeof head === 'string') {
      whys.push(head)
      continue
    }
    const rest = name.slice(index + word.length)
    const tail = partOf(rest, known, head.space)
    if (typeof tail !== 'string') return [head, tail]
    const more = partsOf(rest, known, head.space)
    if (typeof more !== 'string') return [head, ...more]
    whys.push(tail, more)
  }
  return whys.find((why) => !isLost(why)) ?? lost
}
function partOf(spoken: string, { tree, here }: Known, beside?: Space): Part | string {
  const whys: string[] = []
  for (const name of namesIn(spoken).names) {
    const space = placeOf(name, tree, here, beside)
    if (typeof space === 'object')
      return { space, isWithin: tree.path(space.id).length > 1 && !aliasesOf(space).includes(name) }
    whys.push(space)
  }
  return whys.find((why) => !isLost(why)) ?? lost
}
/** 二层和三层的会议室 may be one room or two. */
const isForAll = ({ space, isWithin }: Part, before: Part[], tree: SpaceTree) =>
  isWithin &&
  before.some(
    (one) =>
      !one.isWithin &&
      tree
        .path(space.id)
        .slice(0, -1)
        .some(({ type }) => type === one.space.type),
  )

/** Places of one command. */
const most = 100

/** One place or all that are called so, one group, or what is looked at. */
function oneOf(spoken: string, { tree, groups = [], here, hereGroup }: Known): Where | string {
  const { name, names, isWhole, isAll } = namesIn(spoken)
  const group = groups.find((one) => names.has(plain(one.name)))
  if (isWhole && !group) return {}
  if (name === '' && !group) return hereGroup ? { group: hereGroup } : { space: here }
  const all = isAll
    ? calledSo(name, tree).filter(({ type }) => type === 'room' || type === 'area')
    : []
  if (all.length > most) return `“${name}”有 ${all.length} 处，请一层一层地说`
  if (all.length > 1 && !group) return { spaces: all }
  const found = [...names].map((one) => placeOf(one, tree, here))
  const space = found.find((one) => typeof one === 'object')
  if (group && space) return `“${group.name}”既是位置又是设备组，请改说位置的全名`
  if (group) return { group }
  const why = found.find((one) => typeof one === 'string' && !isLost(one))
  return space ? { space } : ((why as string | undefined) ?? `${lost}“${name}”`)
}

/** Of what is looked at, by the words for it. */
const pointing = {
  floor: /^(这1?层楼?|本层|整1?层楼?)$/,
  building: /^(这1?[栋座]楼?|本[栋座]|整[栋座]楼?)$/,
}
function pointedAt(place: string, tree: SpaceTree, here?: Space) {
  if (/^(这里|这儿|这边|这个房间)$/.test(place)) return here
  const type = (['floor', 'building'] as const).find((one) => pointing[one].test(place))
  return type && tree.path(here?.id).find((one) => one.type === type)
}

/** The space that is called so, with or without what it lies in; of several the one here. Else why not. */
function placeOf(place: string, tree: SpaceTree, here?: Space, beside = here): Space | string {
  const pointed = pointedAt(place, tree, here)
  if (pointed) return pointed
  const named = calledSo(place, tree)
  if (named.length === 0) return `${lost}“${place}”`
  for (const near of tree.path(beside?.id).reverse()) {
    const within = tree.within(near.id)
    const inside = named.filter(({ id }) => within.has(id))
    if (inside.length === 1) return inside[0]!
    if (inside.length > 1) break
  }
  if (named.length === 1) return named[0]!
  const some = named.slice(0, 3).map(({ id }) => tree.nameOf(id))
  return `“${place}”有 ${named.length} 处，请说明是哪一处：${some.join('、')}${named.length > 3 ? '…' : ''}`
}

const calledSo = (place: string, tree: SpaceTree) =>
  tree.ordered().filter(({ id }) => isCalled(place, tree.path(id).map(aliasesOf)))

/**
 * The whole name, and other words for it: `科创大厦 A 座` is A座 and A栋, `2# 楼` 2栋, `B1 层` 负一层 and 地下一层,
 * `会议室 201` 201会议室 and 201.
 */
function aliasesOf({ name }: Space) {
  const whole = plain(name)
  const tower = /(?:^|\s)([^\s#]+?)\s*(?:[号#]\s*楼|[座栋幢])$/.exec(name.trim())?.[1]
  const towers = tower ? ['座', '栋', '幢', '号楼'].map((word) => plain(tower + word)) : []
  const below = /^(?:b|负|地下)(\d+)层?$/.exec(whole)?.[1]
  const deep = below ? [`b${below}`, `b${below}层`, `负${below}层`, `地下${below}层`] : []
  const [, before = '', room, after = ''] = /^(\D*)(\d{3,})(\D*)$/.exec(whole) ?? []
  const rooms = room && !(before && after) ? [room, before + room, room + before] : []
  return [whole, ...towers, ...deep, ...rooms, ...(room && after ? [after + room] : [])]
}

/** Whether the last name ends it, and what is before it are names of what it lies in, some left out. */
function isCalled(place: string, path: string[][]): boolean {
  const last = path.at(-1)
  if (!last) return false
  return last.some((alias) => {
    if (!place.endsWith(alias)) return false
    const rest = place.slice(0, place.length - alias.length).replace(/的$/, '')
    return rest === '' || path.slice(0, -1).some((_, at) => isCalled(rest, path.slice(0, at + 1)))
  })
}
