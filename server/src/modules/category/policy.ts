import { refuseCategoryPlace } from '@iot/shared/contract/categoryPlace'
import type { ThingModel } from '@iot/shared/contract/thingModel'
import type { Tree } from '@iot/shared/contract/tree'
import { wrongField } from '../../core/refusal'
import { standardCategories } from './standard'
import type { CategoryRow } from './queries'

const standardNames = new Map(
  standardCategories.flatMap(({ model }) =>
    model.properties.map(({ identifier, name }) => [identifier, name] as const),
  ),
)
/** What a property is called by these models, or else by the standard library. */
export const propertyNames = (models: Iterable<ThingModel>) => {
  const own = new Map(
    Array.from(models, ({ properties }) => properties)
      .flat()
      .map(({ identifier, name }) => [identifier, name]),
  )
  return (identifier: string) => own.get(identifier) ?? standardNames.get(identifier)
}
/** The models of the standard library, by code. */
export const standardModels = new Map(standardCategories.map(({ code, model }) => [code, model]))

type Node = Pick<CategoryRow, 'id' | 'parentId' | 'name'>

export function mustFit(tree: Tree<Node>, parentId: string | null, id?: string) {
  const why = refuseCategoryPlace(tree, parentId, id)
  if (why) throw wrongField('parentId', why)
}

/** Two categories of one parent are told apart by their names. At the top the database cannot see to it. */
export function mustDiffer(tree: Tree<Node>, parentId: string | null, name: string, id?: string) {
  if (tree.children(parentId).some((row) => row.name === name && row.id !== id))
    throw wrongField('name', `同级已有品类“${name}”`)
}

/** What categories of the standard library are called, by code. */
export const standardTitles = Object.fromEntries(
  standardCategories.map(({ code, name }) => [code, name]),
)

/** What refers to categories by code refers to those of the standard library. */
export function mustBeStandard(codes: string[]) {
  const unknown = codes.filter((code) => !standardModels.has(code))
  if (unknown.length > 0) throw wrongField('categories', `标准品类库没有${unknown.join('、')}`)
}
