import type { CardKind, ViewCard, CardConfig } from './viewCard.schema'
import type { Scope } from '../control/control.schema'

export const cardColumns = 12
export const maxCards = 40

export const cardText: Record<CardKind, string> = {
  actions: '批量操作',
  scenes: '场景',
  plan: '平面图',
  devices: '设备列表',
  stats: '统计',
  problems: '现在有问题',
  recent: '最近的控制',
  shift: '交接',
  energy: '能耗',
  note: '备注',
}

export const getCardTitle = ({ title, config }: Pick<ViewCard, 'title' | 'config'>) =>
  title || (config.kind === 'stats' ? statsCardText[config.by] : cardText[config.kind])
const statsCardText = { lights: '灯的统计', types: '设备统计' }
/** Return the space, group and scenes that a card refers to. */
export const getCardSpaceId = (config: CardConfig) =>
  ('spaceId' in config && config.spaceId) || undefined
export const getCardGroupId = (config: CardConfig) =>
  ('groupId' in config && config.groupId) || undefined
export const getCardSceneIds = (config: CardConfig) =>
  config.kind === 'scenes' ? config.sceneIds : []

/** Returns the scope of a card for its actions. */
export function getCardScope(config: CardConfig): Exclude<Scope, { kind: 'devices' }> {
  const groupId = getCardGroupId(config)
  const spaceId = getCardSpaceId(config)
  if (groupId) return { kind: 'group', groupId }
  return spaceId ? { kind: 'space', spaceId } : { kind: 'project' }
}
