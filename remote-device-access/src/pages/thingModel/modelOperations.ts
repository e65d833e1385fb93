import { listFunctions, type ThingFunction } from '@iot/shared/contract/thingModel/modelDifference'
import { functionKinds, type FunctionKind } from '@iot/shared/contract/thingModel/thingModel'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'

type Identified = { identifier: string }
type Deprecable = Identified & { isDeprecated?: boolean }
/** Maps each function list of a model while keeping the element types. */
const mapFunctionLists = (
  model: ThingModel,
  mapList: (list: Identified[], kind: FunctionKind) => Identified[],
) =>
  ({
    ...model,
    ...Object.fromEntries(functionKinds.map((kind) => [kind, mapList(model[kind], kind)])),
  }) as ThingModel

export const removeFunctions = (model: ThingModel, ids: string[]) =>
  mapFunctionLists(model, (list) => list.filter(({ identifier }) => !ids.includes(identifier)))

/** Sets a flag on functions that have it; a service has no history flag. */
export const setFlag = (model: ThingModel, ids: string[], flag: string, value: boolean) =>
  mapFunctionLists(model, (list) =>
    list.map((thingFunction) =>
      ids.includes(thingFunction.identifier) && flag in thingFunction
        ? { ...thingFunction, [flag]: value }
        : thingFunction,
    ),
  )

/** Sets or takes back the mark of a deprecated function; a model without the mark has no field for it. */
export const setDeprecated = (model: ThingModel, identifier: string, isDeprecated: boolean) =>
  mapFunctionLists(model, (list) =>
    list.map((thingFunction) => {
      if (thingFunction.identifier !== identifier) return thingFunction
      const { isDeprecated: _, ...unmarkedFunction } = thingFunction as Deprecable
      return isDeprecated ? { ...unmarkedFunction, isDeprecated } : unmarkedFunction
    }),
  )

/** Counts the given functions that have the flag; a service has no history flag. */
export const countFlagged = (model: ThingModel, ids: string[], flag: string) =>
  listFunctions(model).filter(
    (thingFunction) => ids.includes(thingFunction.identifier) && flag in thingFunction,
  ).length

/**
 * Moves a function before or after another one of its kind. The model stays unchanged if either was removed meanwhile.
 */
export function moveFunction(
  model: ThingModel,
  { kind, identifier }: ThingFunction,
  targetIdentifier: string,
  isBelow: boolean,
) {
  return mapFunctionLists(model, (list, listKind) => {
    const movedFunction = list.find((candidate) => candidate.identifier === identifier)
    if (
      listKind !== kind ||
      !movedFunction ||
      !list.some((candidate) => candidate.identifier === targetIdentifier)
    )
      return list
    const otherFunctions = list.filter((candidate) => candidate !== movedFunction)
    const targetIndex = otherFunctions.findIndex(
      (candidate) => candidate.identifier === targetIdentifier,
    )
    return otherFunctions.toSpliced(targetIndex + (isBelow ? 1 : 0), 0, movedFunction)
  })
}

const maxNameLength = 64
/** Copies a function under a free name and identifier. */
export function copyFunction(model: ThingModel, original: ThingFunction): ThingFunction {
  const usedIdentifiers = new Set(listFunctions(model).map(({ identifier }) => identifier))
  for (let suffix = 2; ; suffix++) {
    const identifier = `${original.identifier.slice(0, maxNameLength - 4)}_${suffix}`
    if (!usedIdentifiers.has(identifier))
      return {
        ...original,
        // A copy is meant for use.
        isDeprecated: undefined,
        identifier,
        name: `${original.name.slice(0, maxNameLength - 4)} ${suffix}`,
      }
  }
}
