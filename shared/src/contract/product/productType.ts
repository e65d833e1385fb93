import { fieldTitles } from '../fields'
import type { ConfirmLevel, TypeAction } from './productType.schema'

export const confirmLevelText: Record<ConfirmLevel, string> = {
  none: '直接执行',
  ask: '先说明再执行',
  strict: '勾选确认后执行',
}

/** Formats all fields, so that two different actions never read the same. */
export const formatActions = (actions: TypeAction[]) =>
  actions
    .map(
      ({ name, actionType, identifier, value, confirm }) =>
        `${name}（${actionType}，${identifier} = ${value}，${confirmLevelText[confirm]}）`,
    )
    .join('；')

export const productTypeTitles = {
  name: '类型名称',
  code: '类型编码',
  categories: '品类',
  actions: '批量动作',
  showOnHome: '在首页显示',
  sort: fieldTitles.sort,
  updateTime: fieldTitles.updateTime,
}
