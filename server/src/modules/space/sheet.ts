import { ManagedSpace, SpaceDraft } from '@iot/shared/contract/space'
import { spaceTypeText } from '@iot/shared/contract/spacePlace'
import type { z } from 'zod'
import { sheetOf, wordsOf } from '../../core/tasks/sheet'
import { parentCell } from '../../core/tasks/treeSheet'

/** A space as a row of a file, last of its siblings: the one above it by its names. */
export const SpaceLine = SpaceDraft.omit({ parentId: true }).extend({
  parent: parentCell('上级空间'),
})
export type SpaceLine = z.infer<typeof SpaceLine>

export const sheet = sheetOf(SpaceLine, {
  name: '1 层',
  type: { ...wordsOf(spaceTypeText), example: spaceTypeText.floor },
  parent: '科创大厦 A 座',
})
/** Plans are drawings: no cell holds them. */
export const exported = [...sheet, ...sheetOf(ManagedSpace, { metres: '', deviceCount: '' })]
