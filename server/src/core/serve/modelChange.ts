import { differenceOf } from '@iot/shared/contract/modelDifference'
import type { ThingModel } from '@iot/shared/contract/thingModel'
import { kindText } from '@iot/shared/contract/thingText'
import type { Change } from './actionLog'

/** Describes the difference between two thing models for the audit log, one field per function. */
export function modelChange(
  entity: string,
  { id, name }: { id: string; name: string },
  before: ThingModel,
  after: ThingModel,
): Change {
  const sides = { before: {} as Record<string, string>, after: {} as Record<string, string> }
  for (const one of differenceOf(before, after)) {
    const title = `${kindText[one.kind]} ${one.name}${one.identifier && `（${one.identifier}）`}`
    const words = (side: 'before' | 'after') =>
      one.changes.map((change) => `${change.title} ${change[side] || '—'}`).join('；')
    if (one.change !== 'added')
      sides.before[title] = one.change === 'removed' ? '有' : words('before')
    if (one.change !== 'removed')
      sides.after[title] = one.change === 'added' ? '有' : words('after')
  }
  return { entity, id, name, ...sides }
}
