import {
  functionKinds,
  type FunctionKind,
  type Property,
  type Service,
  type ThingEvent,
  type ThingModel,
} from './thingModel'
import { extraWords } from './tslExtra'
import { accessText, callText, eventText, paramWords, typeWords } from './thingText'

export type ThingFunction =
  | ({ kind: 'properties' } & Property)
  | ({ kind: 'services' } & Service)
  | ({ kind: 'events' } & ThingEvent)

/** Returns all functions of a model in display order. */
export const functionsOf = (model: ThingModel): ThingFunction[] => [
  ...model.properties.map((one) => ({ kind: 'properties' as const, ...one })),
  ...model.services.map((one) => ({ kind: 'services' as const, ...one })),
  ...model.events.map((one) => ({ kind: 'events' as const, ...one })),
]
export const countOf = (model: ThingModel) =>
  functionKinds.reduce((sum, kind) => sum + model[kind].length, 0)

type FieldChange = { title: string; before: string; after: string }
export type FunctionChange = {
  change: 'added' | 'removed' | 'changed' | 'order'
  kind: FunctionKind
  identifier: string
  name: string
  /** Changed fields; empty for an added or removed function. */
  changes: FieldChange[]
}

const yes = (is: boolean) => (is ? '是' : '否')
/** Returns the displayed facts of a function by title. */
function words(one: ThingFunction): Record<string, string> {
  const head = {
    名称: one.name,
    必选: yes(one.required),
    说明: one.desc ?? '',
    其他: extraWords(one.extra),
  }
  switch (one.kind) {
    case 'properties':
      return {
        ...head,
        数据类型: typeWords(one.dataType),
        读写类型: accessText[one.accessMode],
        保存历史: yes(one.isHistory),
        实时监控: yes(one.isMonitor),
      }
    case 'services':
      return {
        ...head,
        调用方式: callText[one.callType],
        输入参数: paramWords(one.inputData),
        输出参数: paramWords(one.outputData),
      }
    case 'events':
      return { ...head, 事件类型: eventText[one.type], 输出参数: paramWords(one.outputData) }
  }
}

const keyOf = ({ kind, identifier }: Pick<FunctionChange, 'kind' | 'identifier'>) =>
  `${kind}/${identifier}`

/** Returns the changes from the first model to the second, function by function, in words; empty if they are equal. */
export function differenceOf(before: ThingModel, after: ThingModel): FunctionChange[] {
  const old = new Map(functionsOf(before).map((one) => [keyOf(one), one]))
  const young = new Map(functionsOf(after).map((one) => [keyOf(one), one]))
  const about = ({ kind, identifier, name }: ThingFunction) => ({ kind, identifier, name })
  const found: FunctionChange[] = []
  for (const [key, one] of young) {
    const former = old.get(key)
    const changes = former && changed(former, one)
    if (!changes) found.push({ change: 'added', ...about(one), changes: [] })
    else if (changes.length > 0) found.push({ change: 'changed', ...about(one), changes })
  }
  for (const [key, one] of old)
    if (!young.has(key)) found.push({ change: 'removed', ...about(one), changes: [] })
  for (const kind of functionKinds) {
    const orderOf = (model: ThingModel, other: Map<string, ThingFunction>) =>
      model[kind].filter(({ identifier }) => other.has(keyOf({ kind, identifier })))
    const ids = (list: { identifier: string }[]) => list.map(({ identifier }) => identifier).join()
    const names = (list: { name: string }[]) => list.map(({ name }) => name).join('、')
    const [was, is] = [orderOf(before, young), orderOf(after, old)]
    if (ids(was) !== ids(is))
      found.push({
        change: 'order',
        kind,
        identifier: '',
        name: '顺序',
        changes: [{ title: '顺序', before: names(was), after: names(is) }],
      })
  }
  return found
}

/** Returns true if two functions have the same displayed facts; the order of fields is ignored. */
export const sameFunction = (a: ThingFunction, b: ThingFunction) => changed(a, b).length === 0

function changed(before: ThingFunction, after: ThingFunction): FieldChange[] {
  const [old, young] = [words(before), words(after)]
  return Object.keys(young).flatMap((title) =>
    old[title] === young[title]
      ? []
      : [{ title, before: old[title] ?? '', after: young[title] ?? '' }],
  )
}
