import { matchesWords } from '@iot/shared/contract/matchesWords'
import type { RightGrant } from '@iot/shared/contract/access/role.schema'

export const formatRight = ({ place, name }: RightGrant) => `${place} · ${name}`

/** Finds a right by its name, by its place, or by words of both in any order. */
export const matchesRight = (right: RightGrant, text: string) =>
  matchesWords(formatRight(right), text)

export const toRightOptions = (rights?: RightGrant[]) =>
  rights?.map((right) => ({ value: right.permission, label: formatRight(right) }))

export type RightDifference = RightGrant & { sign: '＋' | '－' | '＝' }

/** Compares two roles right by right: ＋ means that only the second has it, － that only the first has it. */
export const compareRights = (rights: RightGrant[], firstId: string, secondId: string) =>
  rights.flatMap((right): RightDifference[] => {
    const [isInFirst, isInSecond] = [firstId, secondId].map((id) => right.roleIds.includes(id))
    if (!isInFirst && !isInSecond) return []
    return [{ ...right, sign: isInFirst && isInSecond ? '＝' : isInSecond ? '＋' : '－' }]
  })
