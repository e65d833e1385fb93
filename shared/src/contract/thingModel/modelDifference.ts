import { functionKinds, type FunctionKind } from './thingModel'
import type { Property, Service, ThingEvent, ThingModel } from './thingModel.schema'
import { describeExtra } from './tslExtra'
import { accessText, callText, eventText, describeParams, describeType } from './thingText'

export type ThingFunction =
  | ({ kind: 'properties' } & Property)
  | ({ kind: 'services' } & Service)
  | ({ kind: 'events' } & ThingEvent)

/** Returns all functions of a model in display order. */
export const listFunctions = (model: ThingModel): ThingFunction[] => [
  ...model.properties.map((property) => ({ kind: 'properties' as const, ...property })),
  ...model.services.map((service) => ({ kind: 'services' as const, ...service })),
  ...model.events.map((thingEvent) => ({ kind: 'events' as const, ...thingEvent })),
]
export const countFunctions = (model: ThingModel) =>
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

const formatYesNo = (value: boolean) => (value ? '是' : '否')
/** Returns the displayed facts of a function by title. */
function describeFunction(thingFunction: ThingFunction): Record<string, string> {
  const sharedFacts = {
    名称: thingFunction.name,
    必选: formatYesNo(thingFunction.required),
    弃用: formatYesNo(thingFunction.isDeprecated === true),
    说明: thingFunction.desc ?? '',
    其他: describeExtra(thingFunction.extra),
  }
  switch (thingFunction.kind) {
    case 'properties':
      return {
        ...sharedFacts,
        数据类型: describeType(thingFunction.dataType),
        读写类型: accessText[thingFunction.accessMode],
        保存历史: formatYesNo(thingFunction.isHistory),
        实时监控: formatYesNo(thingFunction.isMonitor),
      }
    case 'services':
      return {
        ...sharedFacts,
        调用方式: callText[thingFunction.callType],
        输入参数: describeParams(thingFunction.inputData),
        输出参数: describeParams(thingFunction.outputData),
      }
    case 'events':
      return {
        ...sharedFacts,
        事件类型: eventText[thingFunction.type],
        输出参数: describeParams(thingFunction.outputData),
      }
  }
}

const toFunctionKey = ({ kind, identifier }: Pick<FunctionChange, 'kind' | 'identifier'>) =>
  `${kind}/${identifier}`

/** Returns the changes from the first model to the second, function by function, in words; empty if they are equal. */
export function compareModels(oldModel: ThingModel, newModel: ThingModel): FunctionChange[] {
  const oldFunctions = new Map(
    listFunctions(oldModel).map((thingFunction) => [toFunctionKey(thingFunction), thingFunction]),
  )
  const newFunctions = new Map(
    listFunctions(newModel).map((thingFunction) => [toFunctionKey(thingFunction), thingFunction]),
  )
  const pickIdentity = ({ kind, identifier, name }: ThingFunction) => ({ kind, identifier, name })
  const functionChanges: FunctionChange[] = []
  for (const [key, newFunction] of newFunctions) {
    const oldFunction = oldFunctions.get(key)
    const fieldChanges = oldFunction && listFieldChanges(oldFunction, newFunction)
    if (!fieldChanges)
      functionChanges.push({ change: 'added', ...pickIdentity(newFunction), changes: [] })
    else if (fieldChanges.length > 0)
      functionChanges.push({
        change: 'changed',
        ...pickIdentity(newFunction),
        changes: fieldChanges,
      })
  }
  for (const [key, removedFunction] of oldFunctions)
    if (!newFunctions.has(key))
      functionChanges.push({ change: 'removed', ...pickIdentity(removedFunction), changes: [] })
  for (const kind of functionKinds) {
    const listCommonFunctions = (model: ThingModel, otherFunctions: Map<string, ThingFunction>) =>
      model[kind].filter(({ identifier }) =>
        otherFunctions.has(toFunctionKey({ kind, identifier })),
      )
    const joinIdentifiers = (list: { identifier: string }[]) =>
      list.map(({ identifier }) => identifier).join()
    const joinNames = (list: { name: string }[]) => list.map(({ name }) => name).join('、')
    const [oldOrder, newOrder] = [
      listCommonFunctions(oldModel, newFunctions),
      listCommonFunctions(newModel, oldFunctions),
    ]
    if (joinIdentifiers(oldOrder) !== joinIdentifiers(newOrder))
      functionChanges.push({
        change: 'order',
        kind,
        identifier: '',
        name: '顺序',
        changes: [{ title: '顺序', before: joinNames(oldOrder), after: joinNames(newOrder) }],
      })
  }
  return functionChanges
}

/** Returns true if two functions have the same displayed facts; the order of fields is ignored. */
export const isSameFunction = (a: ThingFunction, b: ThingFunction) =>
  listFieldChanges(a, b).length === 0

function listFieldChanges(oldFunction: ThingFunction, newFunction: ThingFunction): FieldChange[] {
  const [oldFacts, newFacts] = [describeFunction(oldFunction), describeFunction(newFunction)]
  return Object.keys(newFacts).flatMap((title) =>
    oldFacts[title] === newFacts[title]
      ? []
      : [{ title, before: oldFacts[title] ?? '', after: newFacts[title] ?? '' }],
  )
}
