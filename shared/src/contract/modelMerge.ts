import {
  differenceOf,
  sameFunction,
  type FunctionChange,
  type ThingFunction,
} from './modelDifference'
import type { FunctionKind, ThingModel } from './thingModel'

type Named = { identifier: string }
const none: ThingModel = { properties: [], services: [], events: [] }

/** What a product would get of a newer version of its category, and what of its own stays instead. */
export type Following = { model: ThingModel; changes: FunctionChange[]; kept: FunctionChange[] }

/**
 * A product's model moved from one version of its category to another: functions the product did not touch become
 * those of the new version; what it changed, added or took away stays its own. Where the platform may not take a
 * function away (`mustKeep`), one that the category dropped stays too.
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
    // What the product once took away is not put back.
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
