import {
  compareModels,
  isSameFunction,
  type FunctionChange,
  type ThingFunction,
} from './modelDifference'
import type { FunctionKind } from './thingModel'
import type { ThingModel } from './thingModel.schema'

type Identified = { identifier: string }
const emptyModel: ThingModel = { properties: [], services: [], events: [] }

/** Result of adopting a newer category version: the merged model, its changes, and the own changes that stay. */
export type AdoptionResult = {
  model: ThingModel
  changes: FunctionChange[]
  keptChanges: FunctionChange[]
}

/**
 * Moves a product's model from one version of its category to another: untouched functions take the new version;
 * functions that the product changed, added or removed stay its own. `mustKeep` also keeps functions that the category
 * dropped, because they must not be removed from a published product.
 */
export function adoptCategoryVersion(
  productModel: ThingModel,
  oldCategoryModel: ThingModel | null,
  newCategoryModel: ThingModel,
  mustKeep: boolean,
): AdoptionResult {
  const baseModel = oldCategoryModel ?? emptyModel
  const keptProductChanges: FunctionChange[] = []
  const categoryChanges = compareModels(baseModel, newCategoryModel).filter(
    ({ change }) => change !== 'order',
  )
  const changesByFunction = new Map(
    categoryChanges.map((functionChange) => [
      `${functionChange.kind}/${functionChange.identifier}`,
      functionChange,
    ]),
  )

  const mergeFunctions = <T extends Identified>(
    kind: FunctionKind,
    ownFunctions: T[],
    oldFunctions: T[],
    newFunctions: T[],
  ): T[] => {
    const findByIdentifier = (list: T[], { identifier }: Identified) =>
      list.find((candidate) => candidate.identifier === identifier)
    const isSame = (a: T, b: T | undefined) =>
      b !== undefined &&
      isSameFunction(
        { kind, ...a } as unknown as ThingFunction,
        { kind, ...b } as unknown as ThingFunction,
      )
    const keptFunctions = ownFunctions.flatMap((ownFunction): T[] => {
      const change = changesByFunction.get(`${kind}/${ownFunction.identifier}`)
      if (!change) return [ownFunction]
      const isUntouched = isSame(ownFunction, findByIdentifier(oldFunctions, ownFunction))
      const newFunction = findByIdentifier(newFunctions, ownFunction)
      if (isSame(ownFunction, newFunction)) return [ownFunction]
      if (isUntouched && newFunction) return [newFunction]
      if (isUntouched && !newFunction && !mustKeep) return []
      keptProductChanges.push(change)
      return [ownFunction]
    })
    // A function that the product has removed is not restored.
    const addedFunctions = newFunctions.filter(
      (candidate) =>
        !findByIdentifier(ownFunctions, candidate) && !findByIdentifier(oldFunctions, candidate),
    )
    return [...keptFunctions, ...addedFunctions]
  }
  const model: ThingModel = {
    ...productModel,
    properties: mergeFunctions(
      'properties',
      productModel.properties,
      baseModel.properties,
      newCategoryModel.properties,
    ),
    services: mergeFunctions(
      'services',
      productModel.services,
      baseModel.services,
      newCategoryModel.services,
    ),
    events: mergeFunctions(
      'events',
      productModel.events,
      baseModel.events,
      newCategoryModel.events,
    ),
  }
  return { model, changes: compareModels(productModel, model), keptChanges: keptProductChanges }
}
