import type { SpaceTree } from '@iot/shared/plan/spaces'
import type { Space } from '@iot/shared/contract/project/project.schema'
import { keepPattern, offPattern, onPattern, othersPattern, outsidePattern } from './spokenWords'
import { findTarget, type CommandTarget, type NamedDevice, type SpeechContext } from './places'

/** These places and devices stay as they are. */
export type Exceptions = { spaces: Space[]; devices: NamedDevice[] }

/** One way to split a sentence into a command without its exception and the words that name the exception. */
type SplitSentence = {
  /** Candidates for the command; the first one that is understood counts. */
  commands: string[]
  keptPlace: string
  /** The exception names this verb, such as 关 in 别关, which must be that of the command. */
  verb?: string
}

const keptPattern = new RegExp(`^(?<rest>.+?)${keepPattern}$`)
const keptParticles = /^(?:但是?|不过|可是)?(?:只有?|就|单独)?(?:把|将|让|给)?/
/** `大堂留着其他的都关`; the verb of the second part is that of the command. */
const keptFirstPattern = new RegExp(
  `^(?:(?:保留|留着|留下)(?<keptBehind>.+?)|(?<kept>.+?)${keepPattern})${othersPattern}(?:地方|房间|区域)?的?(?<rest>.+)$`,
)
/** `关掉大堂以外的灯`, `把大堂之外的都关` */
const keptOutsidePattern = new RegExp(
  `^(?<head>${onPattern}|${offPattern})?(?<kept>[^除]+?)${outsidePattern}的?${othersPattern}?的?(?<rest>.*)$`,
)
const exceptPrefix = /^除(?:了|开|去)?/
const exceptSuffix = new RegExp(`^(?:${outsidePattern}|外)?的?${othersPattern}?的?`)

/**
 * Lists all ways to split `除了大堂都关`, `关1层除了茶水间`, `关1层的灯茶水间留着`, `大堂留着其他都关` or `关掉大堂以外的灯`.
 */
export function splitExceptions(words: string): SplitSentence[] {
  const keptFirst = keptFirstPattern.exec(words)?.groups
  if (keptFirst)
    return [
      {
        commands: [`所有${keptFirst.rest}`, keptFirst.rest!],
        keptPlace: (keptFirst.keptBehind ?? keptFirst.kept!).replace(keptParticles, ''),
        verb: keptFirst.verb,
      },
    ]
  const outside = keptOutsidePattern.exec(words)?.groups
  if (outside)
    return [{ commands: [`${outside.head ?? ''}所有${outside.rest}`], keptPlace: outside.kept! }]
  const splits: SplitSentence[] = []
  const { rest, verb } = keptPattern.exec(words)?.groups ?? {}
  for (let end = 1; rest && end < rest.length; end++)
    splits.push({
      commands: [rest.slice(0, end)],
      keptPlace: rest.slice(end).replace(keptParticles, ''),
      verb,
    })
  const start = words.indexOf('除')
  if (start < 0) return splits
  const head = words.slice(0, start)
  const tail = words.slice(start).replace(exceptPrefix, '')
  for (let end = 1; end <= tail.length; end++) {
    const after = tail.slice(end).replace(exceptSuffix, '')
    splits.push({ commands: [`${head}所有${after}`, head + after], keptPlace: tail.slice(0, end) })
  }
  return splits
}

/**
 * Finds the places that a command keeps as they are. They must lie within its area, because a place elsewhere would be
 * a misunderstanding.
 * @returns the reason as text if they are not found or lie elsewhere
 */
export function findExceptions(
  keptPlace: string,
  area: CommandTarget,
  speechContext: SpeechContext,
): Exceptions | string {
  const { tree } = speechContext
  const target = findTarget(keptPlace, {
    ...speechContext,
    here: area.space,
    hereGroup: undefined,
    groups: [],
  })
  if (typeof target === 'string') return target
  const { device } = target
  const spaces = target.spaces ?? (target.space ? [target.space] : [])
  if (!device && spaces.length === 0) return `没有找到“${keptPlace}”`
  const isInside =
    spaces.every(({ id }) => isWithinArea(id, area, tree)) &&
    (!device?.spaceId || isWithinArea(device.spaceId, area, tree, true))
  if (!isInside) return `“${keptPlace}”不在要控制的范围里`
  return { spaces, devices: device ? [device] : [] }
}

/** @param includesArea the area itself counts as well, which is true for devices and not for kept places */
function isWithinArea(
  spaceId: string,
  { space, spaces, group }: CommandTarget,
  tree: SpaceTree,
  includesArea = false,
) {
  const areaSpaces = spaces ?? (space ? [space] : undefined)
  // The preflight counts how many devices of a group are kept.
  if (group || !areaSpaces) return true
  return areaSpaces.some(
    ({ id }) => tree.within(id).has(spaceId) && (includesArea || id !== spaceId),
  )
}
