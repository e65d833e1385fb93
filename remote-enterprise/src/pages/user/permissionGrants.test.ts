import { toggleSearchResults, type Grantable, toggleGrant } from './permissionGrants'

const node = (id: string, parentId: string | null, type: Grantable[number]['type']) => ({
  id,
  parentId,
  type,
  name: id,
})
const nodes: Grantable = [
  node('config', null, 'folder'),
  node('brand', 'config', 'page'),
  node('add', 'brand', 'button'),
  node('edit', 'brand', 'button'),
  node('product', 'config', 'page'),
]
const toggleAndSort = (grantedIds: string[], id: string, isGranted: boolean) =>
  toggleGrant(nodes, grantedIds, id, isGranted).sort()

it('grants everything below a node and its ancestors', () =>
  expect(toggleAndSort([], 'brand', true)).toEqual(['add', 'brand', 'config', 'edit']))
it('grants one button with its page, without the other buttons', () =>
  expect(toggleAndSort([], 'add', true)).toEqual(['add', 'brand', 'config']))
it('revokes everything below a node and keeps its ancestors', () =>
  expect(toggleAndSort(['config', 'brand', 'add', 'product'], 'brand', false)).toEqual([
    'config',
    'product',
  ]))
it('keeps a page granted without its buttons', () =>
  expect(toggleAndSort(['config', 'brand', 'add'], 'add', false)).toEqual(['brand', 'config']))
it('leaves permissions the granting user does not have', () =>
  expect(toggleAndSort(['secret'], 'config', false)).toEqual(['secret']))
it('grants and revokes all, or only the search results', () => {
  expect(toggleSearchResults(nodes, ['secret'], '', true)).toHaveLength(6)
  expect(toggleSearchResults(nodes, ['secret', 'config', 'brand'], '', false)).toEqual(['secret'])
  expect(toggleSearchResults(nodes, [], ' ad', true).sort()).toEqual(['add', 'brand', 'config'])
  expect(toggleSearchResults(nodes, ['config', 'brand', 'add', 'edit'], 'ed', false)).toEqual([
    'config',
    'brand',
    'add',
  ])
})
