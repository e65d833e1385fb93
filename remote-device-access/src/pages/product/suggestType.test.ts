import type { ProductCategory } from '@iot/shared/contract/product/category.schema'
import { createTree } from '@iot/shared/contract/tree'
import { findTypeOfCategory, suggestTypeForCategory } from './suggestType'

const category = (id: string, code: string, parentId: string | null) =>
  ({ id, code, parentId, name: `品类 ${code}`, sort: 1 }) as ProductCategory
const tree = createTree([
  category('1', 'lighting', null),
  category('2', 'Light', '1'),
  category('3', 'downlight', '2'),
  category('4', 'AirConditioner', '1'),
])
const types = [
  { code: 'EDGE_HOST', categories: ['EdgeGateway'] },
  { code: 'SAFEWAY_LIGHT', categories: ['Light', 'LightStrip'] },
]

it.each([
  ['2', 'SAFEWAY_LIGHT'],
  ['3', 'SAFEWAY_LIGHT'],
  ['4', undefined],
  [null, undefined],
])('finds the type of category %s or of the nearest one above it', (categoryId, code) =>
  expect(findTypeOfCategory(tree, categoryId, types)).toBe(code),
)
it('suggests a new type from the category', () => {
  expect(suggestTypeForCategory(tree, '4', ['AirConditioner'])).toEqual({
    name: '品类 AirConditioner',
    code: 'AIR_CONDITIONER',
    categories: ['AirConditioner'],
  })
  expect(suggestTypeForCategory(tree, '3', ['Light']).categories).toEqual([])
  expect(suggestTypeForCategory(tree, null, [])).toEqual({})
})
