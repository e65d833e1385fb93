import {
  differenceOf,
  sameFunction,
  type FunctionChange,
  type ThingFunction,
} from './modelDifference'
import type { FunctionKind, ThingModel } from './thingModel'

type Named = { identifier: string }
const none: ThingModel = { properties: [], services: [], events: [] }

/** Result of adopting a newer category version: the merged model, its changes, and the own changes that stay. */
export type Following = { model: ThingModel; changes: FunctionChange[]; kept: FunctionChange[] }

/**
 * Moves a product's model from one version of its category to another: untouched functions take the new version;
 * functions that the product changed, added or removed stay its own. `mustKeep` also keeps functions that the category
 * dropped, because they must not be removed from a published product.
 */
export function follow(
  own: ThingModel,
  from: ThingModel | null,
  to: ThingModel,
  mustKeep: boolean,
): Following {
  const base = from ?? none
  const kept: FunctionChange[] = []
  const wanted = differenceOf(base, to).filter(({ change }) => change !== 'order')
  const decided = new Map(wanted.map((one) => [`${one.kind}/${one.identifier}`, one]))

  const merged = <T extends Named>(kind: FunctionKind, mine: T[], was: T[], is: T[]): T[] => {
    const find = (list: T[], { identifier }: Named) =>
      list.find((one) => one.identifier === identifier)
    const same = (a: T, b: T | undefined) =>
      b !== undefined &&
      sameFunction(
        { kind, ...a } as unknown as ThingFunction,
        { kind, ...b } as unknown as ThingFunction,
      )
    const stays = mine.flatMap((one): T[] => {
      const change = decided.get(`${kind}/${one.identifier}`)
      if (!change) return [one]
      const isUntouched = same(one, find(was, one))
      const next = find(is, one)
      if (same(one, next)) return [one]
      if (isUntouched && next) return [next]
      if (isUntouched && !next && !mustKeep) return []
      kept.push(change)
      return [one]
    })
    // A function that the product has removed is not restored.
    const added = is.filter((one) => !find(mine, one) && !find(was, one))
    return [...stays, ...added]
  }
  const model: ThingModel = {
    ...own,
    properties: merged('properties', own.properties, base.properties, to.properties),
    services: merged('services', own.services, base.services, to.services),
    events: merged('events', own.events, base.events, to.events),
  }
  return { model, changes: differenceOf(own, model), kept }
}
