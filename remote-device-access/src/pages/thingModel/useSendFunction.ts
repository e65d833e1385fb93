import { App } from 'antd'
import { useRef } from 'react'
import { CallError } from '@iot/shared/client/call'
import { codes } from '@iot/shared/contract/endpoint'
import { functionsOf, sameFunction, type ThingFunction } from '@iot/shared/contract/modelDifference'
import {
  type FunctionKind,
  Property,
  Service,
  ThingEvent,
  type ThingModel,
} from '@iot/shared/contract/thingModel'
import type { TslExtra } from '@iot/shared/contract/tslExtra'
import { newerOf, type Editing } from './editing'

export type FunctionDraft = { kind: FunctionKind; identifier: string; name: string } & Record<
  string,
  unknown
>
type Schema = typeof Property
// All kinds share identifier, name, required and description; other fields are shown for their kind only.
export const schemas = {
  properties: Property,
  services: Service,
  events: ThingEvent,
} as unknown as Record<FunctionKind, Schema>

/** Saves the model with a new function, or with one that replaces `former`. */
export function useSendFunction({ carrier, send }: Editing, former?: ThingFunction) {
  const { message } = App.useApp()
  // The base holds the model as last read and this function in it, because a colleague may change either.
  const base = useRef({ carrier, one: former })

  const drafted = ({ kind, ...draft }: FunctionDraft) => {
    const one = { ...draft, desc: draft.desc || undefined, extra: extraFor(draft) }
    return { kind, ...schemas[kind].parse(one) } as ThingFunction
  }
  /** Keeps extra fields of an imported file; the unit name is dropped when the data type changes. */
  const extraFor = ({ dataType, extra = former?.extra }: Omit<FunctionDraft, 'kind'>) => {
    const isSameType =
      former?.kind !== 'properties' || JSON.stringify(former.dataType) === JSON.stringify(dataType)
    return (extra as TslExtra)?.filter(({ path }) => isSameType || path.at(-1) !== 'unitName')
  }
  /** Returns the model with this function at the position of the former one, even under a new identifier. */
  const placed = (model: ThingModel, one: ThingFunction): ThingModel => {
    const { kind, ...rest } = one
    if (!former) return { ...model, [kind]: [...model[kind], rest] }
    const list = (model[kind] as { identifier: string }[]).map((standing) =>
      standing.identifier === former.identifier ? rest : standing,
    )
    return { ...model, [kind]: list }
  }

  /** A colleague's change of another function is kept; a change of this function becomes a conflict in the form. */
  return async function sendFunction(draft: FunctionDraft) {
    const one = drafted(draft)
    for (;;)
      try {
        const { carrier } = base.current
        return await send(carrier, placed(carrier.model, one))
      } catch (error) {
        const newer = newerOf(error)
        if (!newer) throw error
        const mine = base.current.one
        const theirs = functionsOf(newer.model).find((fn) => fn.identifier === mine?.identifier)
        base.current = { carrier: newer, one: theirs }
        if (mine && !theirs) {
          const gone = `“${mine.name}”已被${newer.updateBy}删除`
          message.error(gone)
          throw new CallError(gone)
        }
        if (mine && theirs && !sameFunction(mine, theirs))
          throw new CallError('这条记录已被别人修改', codes.version, {
            current: { ...theirs, ...audit(newer) },
          })
      }
  }
}

const audit = ({ version, updateBy, updateTime }: Editing['carrier']) => ({
  version,
  updateBy,
  updateTime,
})
