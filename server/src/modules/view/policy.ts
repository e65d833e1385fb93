import { isDeepStrictEqual } from 'node:util'
import {
  cardColumns,
  cardTitle,
  groupOfCard,
  scenesOfCard,
  spaceOfCard,
  type ViewCard,
} from '@iot/shared/contract/viewCard'
import { wrongField } from '../../core/refusal'
import type { viewQueries, ViewRow } from './queries'

/** Limit of stored cards per view over all its projects. */
const mostStored = 400

/** Asserts that each card occurs once and lies within the columns. */
export function mustFitTogether(cards: ViewCard[]) {
  const ids = new Set<string>()
  for (const [n, card] of cards.entries()) {
    if (ids.has(card.id)) throw wrongField(`cards.${n}.id`, `卡片“${cardTitle(card)}”重复了`)
    ids.add(card.id)
    if (card.x + card.w > cardColumns)
      throw wrongField(`cards.${n}.w`, `卡片“${cardTitle(card)}”超出了 ${cardColumns} 列`)
  }
}

type Arranged = {
  cards: ViewCard[]
  /** Stored cards are not checked again if they are unchanged, because their space may have been deleted. */
  known: ViewCard[]
  projectId: number
  row: ViewRow
}

/** Asserts that cards refer to spaces of their project and that the project belongs to the view. */
export async function mustBeOfProject(
  rows: ReturnType<typeof viewQueries>,
  { cards, known, projectId, row }: Arranged,
) {
  if (row.cards.length - known.length + cards.length > mostStored)
    throw wrongField('cards', `一个视图在所有项目里的卡片最多 ${mostStored} 张`)
  if (row.projectIds.length > 0 && !row.projectIds.includes(projectId))
    throw wrongField('projectId', `视图“${row.name}”不在这个项目里显示`)
  const fresh = cards.map((card, n) => ({
    card,
    n,
    isKnown: known.some(({ config }) => isDeepStrictEqual(config, card.config)),
  }))
  const asked = fresh.filter(({ isKnown }) => !isKnown).map(({ card }) => card.config)
  const spaceIds = asked.map(spaceOfCard).filter((id) => id !== undefined)
  const groupIds = asked.map(groupOfCard).filter((id) => id !== undefined)
  const spaces = new Map((await rows.spaces(projectId, spaceIds)).map((one) => [one.id, one]))
  const scenes = await rows.scenes(projectId, asked.flatMap(scenesOfCard))
  const sceneIds = new Set(scenes.map(({ id }) => id))
  const groups = new Set((await rows.groups(projectId, groupIds)).map(({ id }) => id))

  for (const { card, n, isKnown } of fresh) {
    const { config } = card
    const spaceId = spaceOfCard(config)
    const groupId = groupOfCard(config)
    const isNamed = !!spaceId || !!groupId || scenesOfCard(config).length > 0
    if (card.projectId !== null ? card.projectId !== projectId : isNamed)
      throw wrongField(`cards.${n}.projectId`, `卡片“${cardTitle(card)}”须属于当前项目`)
    if (isKnown) continue
    if (spaceId && groupId) throw wrongField(`cards.${n}.config.groupId`, '位置和设备组只能选一个')
    if (groupId && !groups.has(groupId))
      throw wrongField(`cards.${n}.config.groupId`, '所选设备组不在这个项目里，或已被删除')
    const space = spaceId && spaces.get(spaceId)
    if (spaceId && !space)
      throw wrongField(`cards.${n}.config.spaceId`, '所选位置不在这个项目里，或已被删除')
    if (config.kind === 'plan' && (!space || space.type !== 'floor'))
      throw wrongField(`cards.${n}.config.spaceId`, '平面图须选择楼层')
    if (scenesOfCard(config).some((id) => !sceneIds.has(id)))
      throw wrongField(`cards.${n}.config.sceneIds`, '所选场景不在这个项目里，或已被删除')
  }
}
