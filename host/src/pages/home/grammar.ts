import type { Space } from '@iot/shared/contract/project'
import type { SpaceTree } from '@iot/shared/plan/spaces'

type Named = { id: string; name: string }
/** What somebody asked for in words; for a space or a group of devices, for the whole project without either. */
export type Command = ({ kind: 'switch'; on: boolean } | { kind: 'brightness'; value: number }) & {
  space?: Space
  group?: Named
}
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
}

const digits: Record<string, number> = {
  ...{ 零: 0, 〇: 0, 一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9 },
}
const units: Record<string, number> = { 十: 10, 百: 100 }

/** `二十五` → 25, `一百零八` → 108; digits that only follow each other are read one by one: `二〇三` → 203. */
export function chineseNumber(text: string) {
  if (![...text].some((letter) => letter in units))
    return Number([...text].map((letter) => digits[letter]).join(''))
  let sum = 0
  let digit: number | undefined
  for (const letter of text) {
    const unit = units[letter]
    if (unit === undefined) digit = digits[letter]
    else {
      sum += (digit ?? 1) * unit
      digit = undefined
    }
  }
  return sum + (digit ?? 0)
}

/** Names and words in one form: no spaces and marks, small letters, digits, % for 百分之, 层 for 楼 behind a number. */
export const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[\s，。！？、,.!?"“”]/g, '')
    .replace(/百分之/g, '%')
    .replace(/[零〇一二两三四五六七八九十百]+/g, (number) => String(chineseNumber(number)))
    .replace(/(\d)楼/g, '$1层')

// 1下 is what `plain` makes of 一下.
const on = /^(打开|开启|点亮|开)(1下)?|(打开|开启|点亮|开)$/
const off = /^(关闭|关掉|关上|熄灭|关)(1下)?|(关闭|关掉|关上|熄灭|关)$/
const level =
  /(?:亮度)?(?:调|设|改|开(?=到))?(?:到|成|至|为)?%(\d+)$|(?:亮度)?(?:调|设|改|开(?=到))(?:到|成|至|为)?(\d+)%?$/
const runs = /^(?:(?:执行|启动|运行|切换到|切到|打开|开启|开)(?:1下)?)?(.+?)(场景|模式)?$/
const whole = /^(整个项目|全项目|整个园区|全园|全部|所有|全)$/

/** `打开大堂的灯`, `把三楼会议室的灯关掉`, `A座调到百分之三十`, `关闭走廊组`, `关闭所有灯`, `执行下班场景`. */
export function understand(said: string, { tree, scenes, groups = [], here }: Known): Understood {
  const words = plain(said)
    .replace(/^(请|帮我|麻烦)+/, '')
    .replace(/^(把|将)/, '')
    .replace(/(1下|吧|了|啊)+$/, '')
  if (!words) return { kind: 'unclear', why: '请说出要做什么，例如“关闭大堂的灯”' }

  const name = runs.exec(words)?.[1]
  const scene = scenes.find((one) => plain(one.name) === name || plain(one.name) === words)
  if (scene) return { kind: 'scene', id: scene.id, name: scene.name }

  const dimmed = level.exec(words)
  const action = dimmed ? level : on.test(words) ? on : off.test(words) ? off : undefined
  if (!action) return { kind: 'unclear', why: `没有听懂“${said}”，可以说“打开三层会议室的灯”` }
  const spoken = words
    .replace(action, '')
    .replace(/^(把|将)/, '')
    .replace(/的?亮度$/, '')
  const place = spoken
    .replace(/的?(灯光|照明|灯)$/, '')
    .replace(/的$/, '')
    .replace(/(.)(全部|所有)$/, '$1')
    .replace(/^(全部|所有)(.)/, '$2')
    .replace(/的$/, '')
  // A group may be called 应急灯, of which the place is 应急.
  const group = groups.find(({ name }) => [spoken, place].includes(plain(name)))
  const space = whole.test(place) ? undefined : place === '' ? here : placeOf(place, tree, here)
  if (group && typeof space === 'object' && place !== '')
    return { kind: 'unclear', why: `“${group.name}”既是位置又是设备组，请改说位置的全名` }
  if (typeof space === 'string' && !group) return { kind: 'unclear', why: space }
  const found = group ? { group } : { space: space as Space | undefined }
  if (!dimmed) return { kind: 'switch', on: action === on, ...found }
  const value = Number(dimmed[1] ?? dimmed[2])
  if (value > 100) return { kind: 'unclear', why: `亮度最多 100%，说的是 ${value}%` }
  return { kind: 'brightness', value, ...found }
}

/** The space that is called so, with or without what it lies in; of several the one here. Else why not. */
function placeOf(place: string, tree: SpaceTree, here?: Space): Space | string {
  const named = tree.ordered().filter((space) => {
    const path = tree.path(space.id)
    return isCalled(place, path.map(aliasesOf))
  })
  if (named.length === 0) return `没有找到“${place}”`
  for (const near of tree.path(here?.id).reverse()) {
    const within = tree.within(near.id)
    const inside = named.filter(({ id }) => within.has(id))
    if (inside.length === 1) return inside[0]!
    if (inside.length > 1) break
  }
  if (named.length === 1) return named[0]!
  const some = named.slice(0, 3).map(({ id }) => tree.nameOf(id))
  return `“${place}”有 ${named.length} 处，请说明是哪一处：${some.join('、')}${named.length > 3 ? '…' : ''}`
}

/** The whole name, and its last word: `科创大厦 A 座` is called A座, too. */
function aliasesOf({ name }: Space) {
  const short = /\S\s*[座栋]$/.exec(name.trim())?.[0]
  return [plain(name), ...(short ? [plain(short)] : [])]
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
