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
/** Returns a function that names a property by these models; the standard library is the fallback. */
export const propertyNames = (models: Iterable<ThingModel>) => {
  const own = new Map(
    Array.from(models, ({ properties }) => properties)
      .flat()
      .map(({ identifier, name }) => [identifier, name]),
  )
  return (identifier: string) => own.get(identifier) ?? standardNames.get(identifier)
}
/** Models of the standard library by category code. */
export const standardModels = new Map(standardCategories.map(({ code, model }) => [code, model]))

type Node = Pick<CategoryRow, 'id' | 'parentId' | 'name'>

export function mustFit(tree: Tree<Node>, parentId: string | null, id?: string) {
  const why = refuseCategoryPlace(tree, parentId, id)
  if (why) throw wrongField('parentId', why)
}

/**
 * Asserts that no sibling has the same name. A unique index cannot check root categories, because their parent is null.
 */
export function mustDiffer(tree: Tree<Node>, parentId: string | null, name: string, id?: string) {
  if (tree.children(parentId).some((row) => row.name === name && row.id !== id))
    throw wrongField('name', `同级已有品类“${name}”`)
}

/** Names of the standard categories by code. */
export const standardTitles = Object.fromEntries(
  standardCategories.map(({ code, name }) => [code, name]),
)

/** Asserts that the codes belong to the standard library. */
export function mustBeStandard(codes: string[]) {
  const unknown = codes.filter((code) => !standardModels.has(code))
  if (unknown.length > 0) throw wrongField('categories', `标准品类库没有${unknown.join('、')}`)
}
