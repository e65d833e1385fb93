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
// The three have identifier, name, required and description in common; what is of one kind is shown for it only.
export const schemas = {
  properties: Property,
  services: Service,
  events: ThingEvent,
} as unknown as Record<FunctionKind, Schema>

/** Sends the model with one function of it new or in the place of `former`. */
export function useSendFunction({ carrier, send }: Editing, former?: ThingFunction) {
  const { message } = App.useApp()
  // The model as it was read last, and this function in it: a colleague may be at either.
  const base = useRef({ carrier, one: former })

  const drafted = ({ kind, ...draft }: FunctionDraft) => {
    const one = { ...draft, desc: draft.desc || undefined, extra: extraFor(draft) }
    return { kind, ...schemas[kind].parse(one) } as ThingFunction
  }
  /** What a file once said beyond the form stays; the name of a unit does not outlive the type it was said of. */
  const extraFor = ({ dataType, extra = former?.extra }: Omit<FunctionDraft, 'kind'>) => {
    const isSameType =
      former?.kind !== 'properties' || JSON.stringify(former.dataType) === JSON.stringify(dataType)
    return (extra as TslExtra)?.filter(({ path }) => isSameType || path.at(-1) !== 'unitName')
  }
  /** The model with this function where the former stood, also under another identifier. */
  const placed = (model: ThingModel, one: ThingFunction): ThingModel => {
    const { kind, ...rest } = one
    if (!former) return { ...model, [kind]: [...model[kind], rest] }
    const list = (model[kind] as { identifier: string }[]).map((standing) =>
      standing.identifier === former.identifier ? rest : standing,
    )
    return { ...model, [kind]: list }
  }

  /** Another function that a colleague changed meanwhile is kept; this one is for the form to merge. */
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
