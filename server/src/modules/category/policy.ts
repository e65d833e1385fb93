import { validateCategoryParent } from '@iot/shared/contract/product/categoryTree'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import type { Tree } from '@iot/shared/contract/tree'
import { createFieldRefusal } from '../../core/refusal'
import { standardCategories } from './standard'
import type { CategoryRow } from './queries'

const standardPropertyNames = new Map(
  standardCategories.flatMap(({ model }) =>
    model.properties.map(({ identifier, name }) => [identifier, name] as const),
  ),
)
/** Returns a function that names a property by these models; the standard library is the fallback. */
export const createPropertyNamer = (models: Iterable<ThingModel>) => {
  const ownNames = new Map(
    Array.from(models, ({ properties }) => properties)
      .flat()
      .map(({ identifier, name }) => [identifier, name]),
  )
  return (identifier: string) => ownNames.get(identifier) ?? standardPropertyNames.get(identifier)
}
/** Models of the standard library by category code. */
export const standardModelByCode = new Map(
  standardCategories.map(({ code, model }) => [code, model]),
)

type Node = Pick<CategoryRow, 'id' | 'parentId' | 'name'>

export function assertPlaceIsAllowed(tree: Tree<Node>, parentId: string | null, id?: string) {
  const refusalReason = validateCategoryParent(tree, parentId, id)
  if (refusalReason) throw createFieldRefusal('parentId', refusalReason)
}

/**
 * Asserts that no sibling has the same name. A unique index cannot check root categories, because their parent is null.
 */
export function assertSiblingNameIsFree(
  tree: Tree<Node>,
  parentId: string | null,
  name: string,
  id?: string,
) {
  if (tree.children(parentId).some((row) => row.name === name && row.id !== id))
    throw createFieldRefusal('name', `同级已有品类“${name}”`)
}

/** Names of the standard categories by code. */
export const standardNameByCode = Object.fromEntries(
  standardCategories.map(({ code, name }) => [code, name]),
)

/** Asserts that the codes belong to the standard library. */
export function assertStandardCodes(codes: string[]) {
  const unknownCodes = codes.filter((code) => !standardModelByCode.has(code))
  if (unknownCodes.length > 0)
    throw createFieldRefusal('categories', `标准品类库没有${unknownCodes.join('、')}`)
}
