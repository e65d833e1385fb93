import { treeOf } from '@iot/shared/contract/tree'
import type { Space } from '@iot/shared/contract/project'

type Known = { id: string; name: string; productKey: string }

/** A product by its key, or by its name where no other is called so. */
export function productNamed<P extends Known>(products: P[], text: string) {
  const found = products.filter(({ name, productKey }) => productKey === text || name === text)
  const [product] = found
  if (!product) return { why: `产品“${text}”不存在` }
  if (found.length > 1) return { why: `有 ${found.length} 个产品叫“${text}”，请填 ProductKey` }
  return { product }
}

type Place = Pick<Space, 'id' | 'parentId' | 'name'> & { type?: Space['type'] }

/** Places of a project by their names from the building down, as a list shows them. */
export function placesOf(spaces: Place[]) {
  const tree = treeOf(spaces)
  const places = new Map<string, { spaceId: string; floorId: string | null }>()
  for (const { id } of spaces) {
    const path = tree.path(id)
    const floorId = path.find(({ type }) => type === 'floor')?.id ?? null
    places.set(path.map(({ name }) => name).join('/'), { spaceId: id, floorId })
  }
  const nowhere = { spaceId: null, floorId: null }
  return (text: string) =>
    text === ''
      ? nowhere
      : places.get(
          text
            .split('/')
            .map((name) => name.trim())
            .join('/'),
        )
}
