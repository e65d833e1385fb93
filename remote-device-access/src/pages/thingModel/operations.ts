import { functionsOf, type ThingFunction } from '@iot/shared/contract/modelDifference'
import { functionKinds, type FunctionKind, type ThingModel } from '@iot/shared/contract/thingModel'

type Named = { identifier: string }
/** Maps each function list of a model while keeping the element types. */
const each = (model: ThingModel, make: (list: Named[], kind: FunctionKind) => Named[]) =>
  ({
    ...model,
    ...Object.fromEntries(functionKinds.map((kind) => [kind, make(model[kind], kind)])),
  }) as ThingModel

export const without = (model: ThingModel, ids: string[]) =>
  each(model, (list) => list.filter(({ identifier }) => !ids.includes(identifier)))

/** Sets a flag on functions that have it; a service has no history flag. */
export const setFlag = (model: ThingModel, ids: string[], flag: string, value: boolean) =>
  each(model, (list) =>
    list.map((one) =>
      ids.includes(one.identifier) && flag in one ? { ...one, [flag]: value } : one,
    ),
  )

/** Counts the given functions that have the flag; a service has no history flag. */
export const countFlagged = (model: ThingModel, ids: string[], flag: string) =>
  functionsOf(model).filter((one) => ids.includes(one.identifier) && flag in one).length

/**
 * Moves a function before or after another one of its kind. The model stays unchanged if either was removed meanwhile.
 */
export function moved(
  model: ThingModel,
  { kind, identifier }: ThingFunction,
  onto: string,
  isBelow: boolean,
) {
  return each(model, (list, of) => {
    const one = list.find((standing) => standing.identifier === identifier)
    if (of !== kind || !one || !list.some((standing) => standing.identifier === onto)) return list
    const others = list.filter((standing) => standing !== one)
    const at = others.findIndex((standing) => standing.identifier === onto)
    return others.toSpliced(at + (isBelow ? 1 : 0), 0, one)
  })
}

const longest = 64
/** Copies a function under a free name and identifier. */
export function copyOf(model: ThingModel, one: ThingFunction): ThingFunction {
  const taken = new Set(functionsOf(model).map(({ identifier }) => identifier))
  for (let number = 2; ; number++) {
    const identifier = `${one.identifier.slice(0, longest - 4)}_${number}`
    if (!taken.has(identifier))
      return { ...one, identifier, name: `${one.name.slice(0, longest - 4)} ${number}` }
  }
}
