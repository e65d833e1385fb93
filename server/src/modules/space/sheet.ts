import { ManagedSpace, SpaceDraft } from '@iot/shared/contract/project/space.schema'
import { spaceTypeText } from '@iot/shared/contract/project/spaceTree'
import type { z } from 'zod'
import { createChoiceConversion } from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'
import { createParentSchema } from '../../core/tasks/treeSheet'

/**
 * Columns of a space in an import file; the parent is given by its path of names, and the space becomes the last
 * sibling.
 */
export const SpaceLine = SpaceDraft.omit({ parentId: true }).extend({
  parent: createParentSchema('上级空间'),
})
export type SpaceLine = z.infer<typeof SpaceLine>

export const sheet = createSheetColumns(SpaceLine, {
  name: '1 层',
  type: { ...createChoiceConversion(spaceTypeText), example: spaceTypeText.floor },
  parent: '科创大厦 A 座',
})
/** Floor plans are drawings, so an export leaves them out. */
export const exportColumns = [
  ...sheet,
  ...createSheetColumns(ManagedSpace, { metres: '', deviceCount: '' }),
]
