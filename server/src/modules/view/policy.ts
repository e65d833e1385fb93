import { isDeepStrictEqual } from 'node:util'
import {
  cardColumns,
  getCardTitle,
  getCardGroupId,
  getCardSceneIds,
  getCardSpaceId,
} from '@iot/shared/contract/project/viewCard'
import type { ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { createFieldRefusal } from '../../core/refusal'
import type { viewQueries, ViewRow } from './queries'

/** Limit of stored cards per view over all its projects. */
const maxStoredCards = 400

/** Asserts that each card lies within the columns. */
export function assertCardsFit(cards: ViewCard[]) {
  for (const [n, card] of cards.entries()) {
    if (card.x + card.w > cardColumns)
      throw createFieldRefusal(
        `cards.${n}.w`,
        `卡片“${getCardTitle(card)}”超出了 ${cardColumns} 列`,
      )
  }
}

type Arrangement = {
  cards: ViewCard[]
  /** Stored cards are not checked again if they are unchanged, because their space may have been deleted. */
  storedCards: ViewCard[]
  projectId: number
  row: ViewRow
}

/** Asserts that cards refer to spaces of their project and that the project belongs to the view. */
export async function assertCardsOfProject(
  rows: ReturnType<typeof viewQueries>,
  { cards, storedCards, projectId, row }: Arrangement,
) {
  if (row.cards.length - storedCards.length + cards.length > maxStoredCards)
    throw createFieldRefusal('cards', `一个视图在所有项目里的卡片最多 ${maxStoredCards} 张`)
  if (row.projectIds.length > 0 && !row.projectIds.includes(projectId))
    throw createFieldRefusal('projectId', `视图“${row.name}”不在这个项目里显示`)
  const checkedCards = cards.map((card, n) => ({
    card,
    n,
    isKnown: storedCards.some(({ config }) => isDeepStrictEqual(config, card.config)),
  }))
  const newConfigs = checkedCards.filter(({ isKnown }) => !isKnown).map(({ card }) => card.config)
  const spaceIds = newConfigs.map(getCardSpaceId).filter((id) => id !== undefined)
  const groupIds = newConfigs.map(getCardGroupId).filter((id) => id !== undefined)
  const spaces = new Map((await rows.spaces(projectId, spaceIds)).map((space) => [space.id, space]))
  const scenes = await rows.scenes(projectId, newConfigs.flatMap(getCardSceneIds))
  const sceneIds = new Set(scenes.map(({ id }) => id))
  const groups = new Set((await rows.groups(projectId, groupIds)).map(({ id }) => id))

  for (const { card, n, isKnown } of checkedCards) {
    const { config } = card
    const spaceId = getCardSpaceId(config)
    const groupId = getCardGroupId(config)
    const hasReferences = !!spaceId || !!groupId || getCardSceneIds(config).length > 0
    if (card.projectId !== null ? card.projectId !== projectId : hasReferences)
      throw createFieldRefusal(`cards.${n}.projectId`, `卡片“${getCardTitle(card)}”须属于当前项目`)
    if (isKnown) continue
    if (spaceId && groupId)
      throw createFieldRefusal(`cards.${n}.config.groupId`, '位置和设备组只能选一个')
    if (groupId && !groups.has(groupId))
      throw createFieldRefusal(`cards.${n}.config.groupId`, '所选设备组不在这个项目里，或已被删除')
    const space = spaceId && spaces.get(spaceId)
    if (spaceId && !space)
      throw createFieldRefusal(`cards.${n}.config.spaceId`, '所选位置不在这个项目里，或已被删除')
    if (config.kind === 'plan' && (!space || space.type !== 'floor'))
      throw createFieldRefusal(`cards.${n}.config.spaceId`, '平面图须选择楼层')
    if (getCardSceneIds(config).some((id) => !sceneIds.has(id)))
      throw createFieldRefusal(`cards.${n}.config.sceneIds`, '所选场景不在这个项目里，或已被删除')
  }
}
