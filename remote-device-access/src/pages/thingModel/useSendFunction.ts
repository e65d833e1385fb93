import { useRef } from 'react'
import { CallError } from '@iot/shared/client/call'
import { responseCodes } from '@iot/shared/contract/endpoint'
import {
  listFunctions,
  isSameFunction,
  type ThingFunction,
} from '@iot/shared/contract/thingModel/modelDifference'
import type { FunctionKind } from '@iot/shared/contract/thingModel/thingModel'
import {
  Property,
  Service,
  ThingEvent,
  type ThingModel,
} from '@iot/shared/contract/thingModel/thingModel.schema'
import type { TslExtra } from '@iot/shared/contract/thingModel/tslExtra.schema'
import { useFeedback } from '@iot/shared/ui/feedback'
import { getNewerOwner, type ModelEditing } from './modelEditing'

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

/** Saves the model with a new function, or with one that replaces `editedFunction`. */
export function useSendFunction({ carrier, send }: ModelEditing, editedFunction?: ThingFunction) {
  const { message } = useFeedback()
  // The base holds the model as last read and this function in it, because a colleague may change either.
  const baseRef = useRef({ carrier, one: editedFunction })

  const parseDraft = ({ kind, ...draft }: FunctionDraft) => {
    const draftFunction = {
      ...draft,
      desc: draft.desc || undefined,
      extra: filterExtra(draft),
      // The form has no field for the mark, which a colleague may have set meanwhile.
      isDeprecated: baseRef.current.one?.isDeprecated,
    }
    return { kind, ...schemas[kind].parse(draftFunction) } as ThingFunction
  }
  /** Keeps extra fields of an imported file; the unit name is dropped when the data type changes. */
  const filterExtra = ({
    dataType,
    extra = editedFunction?.extra,
  }: Omit<FunctionDraft, 'kind'>) => {
    const isSameType =
      editedFunction?.kind !== 'properties' ||
      JSON.stringify(editedFunction.dataType) === JSON.stringify(dataType)
    return (extra as TslExtra)?.filter(({ path }) => isSameType || path.at(-1) !== 'unitName')
  }
  /** Returns the model with this function at the position of the former one, even under a new identifier. */
  const replaceFunction = (model: ThingModel, replacement: ThingFunction): ThingModel => {
    const { kind, ...rest } = replacement
    if (!editedFunction) return { ...model, [kind]: [...model[kind], rest] }
    const list = (model[kind] as { identifier: string }[]).map((existingFunction) =>
      existingFunction.identifier === editedFunction.identifier ? rest : existingFunction,
    )
    return { ...model, [kind]: list }
  }

  /** A colleague's change of another function is kept; a change of this function becomes a conflict in the form. */
  return async function sendFunction(draft: FunctionDraft) {
    const sentFunction = parseDraft(draft)
    for (;;)
      try {
        const { carrier } = baseRef.current
        return await send(carrier, replaceFunction(carrier.model, sentFunction))
      } catch (error) {
        const newerOwner = getNewerOwner(error)
        if (!newerOwner) throw error
        const baseFunction = baseRef.current.one
        const newerFunction = listFunctions(newerOwner.model).find(
          (thingFunction) => thingFunction.identifier === baseFunction?.identifier,
        )
        baseRef.current = { carrier: newerOwner, one: newerFunction }
        if (baseFunction && !newerFunction) {
          const removedMessage = `“${baseFunction.name}”已被${newerOwner.updateBy}删除`
          message.error(removedMessage)
          throw new CallError(removedMessage)
        }
        if (baseFunction && newerFunction && !isSameFunction(baseFunction, newerFunction))
          throw new CallError('这条记录已被别人修改', responseCodes.version, {
            current: { ...newerFunction, ...pickAuditFields(newerOwner) },
          })
      }
  }
}

const pickAuditFields = ({ version, updateBy, updateTime }: ModelEditing['carrier']) => ({
  version,
  updateBy,
  updateTime,
})
