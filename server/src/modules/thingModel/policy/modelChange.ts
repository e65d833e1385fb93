import { compareModels } from '@iot/shared/contract/thingModel/modelDifference'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { kindText } from '@iot/shared/contract/thingModel/thingText'
import type { Change } from '../../../core/http/actionLog'

/** Describes the difference between two thing models for the audit log, one field per function. */
export function describeModelChange(
  entity: string,
  { id, name }: { id: string; name: string },
  previousModel: ThingModel,
  nextModel: ThingModel,
): Change {
  const sides = { before: {} as Record<string, string>, after: {} as Record<string, string> }
  for (const difference of compareModels(previousModel, nextModel)) {
    const title = `${kindText[difference.kind]} ${difference.name}${difference.identifier && `（${difference.identifier}）`}`
    const formatChanges = (side: 'before' | 'after') =>
      difference.changes.map((change) => `${change.title} ${change[side] || '—'}`).join('；')
    if (difference.change !== 'added')
      sides.before[title] = difference.change === 'removed' ? '有' : formatChanges('before')
    if (difference.change !== 'removed')
      sides.after[title] = difference.change === 'added' ? '有' : formatChanges('after')
  }
  return { entity, id, name, ...sides }
}
