import type { ProductCategory } from '@iot/shared/contract/product/category.schema'
import type { ProductTypeDraft } from '@iot/shared/contract/product/productType.schema'
import type { Tree } from '@iot/shared/contract/tree'

type CategoryTree = Tree<ProductCategory>
type TypeOption = { code: string; categories: string[] }

/** Returns a category and its ancestors, the nearest first; categories of the library keep its codes. */
const listAncestry = (tree: CategoryTree | undefined, categoryId: string | null | undefined) =>
  tree && categoryId ? tree.path(categoryId).toReversed() : []

/** Returns the product type that the library names for the category, or for the nearest one above it. */
export function findTypeOfCategory(
  tree: CategoryTree | undefined,
  categoryId: string | null | undefined,
  types: readonly TypeOption[] | undefined,
): string | undefined {
  for (const { code: categoryCode } of listAncestry(tree, categoryId)) {
    const type = types?.find(({ categories }) => categories.includes(categoryCode))
    if (type) return type.code
  }
  return undefined
}

/** Builds the first values of a new product type for a category: AirConditioner becomes AIR_CONDITIONER. */
export function suggestTypeForCategory(
  tree: CategoryTree | undefined,
  categoryId: string | null | undefined,
  libraryCodes: readonly string[],
): Partial<ProductTypeDraft> {
  const [category] = listAncestry(tree, categoryId)
  if (!category) return {}
  const code = category.code
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase()
  return {
    name: category.name,
    code: /^[A-Z]/.test(code) ? code : '',
    categories: libraryCodes.includes(category.code) ? [category.code] : [],
  }
}
