import { ManagedSpace, SpaceDraft } from '@iot/shared/contract/space'
import { spaceTypeText } from '@iot/shared/contract/spacePlace'
import type { z } from 'zod'
import { sheetOf, wordsOf } from '../../core/tasks/sheet'
import { parentCell } from '../../core/tasks/treeSheet'

/**
 * Columns of a space in an import file; the parent is given by its path of names, and the space becomes the last
 * sibling.
 */
export const SpaceLine = SpaceDraft.omit({ parentId: true }).extend({
  parent: parentCell('上级空间'),
})
export type SpaceLine = z.infer<typeof SpaceLine>

export const sheet = sheetOf(SpaceLine, {
  name: '1 层',
  type: { ...wordsOf(spaceTypeText), example: spaceTypeText.floor },
  parent: '科创大厦 A 座',
})
/** Floor plans are drawings, so an export leaves them out. */
export const exported = [...sheet, ...sheetOf(ManagedSpace, { metres: '', deviceCount: '' })]
