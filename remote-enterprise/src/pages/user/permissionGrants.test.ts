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

it('gives all below and the way to it', () =>
  expect(toggleAndSort([], 'brand', true)).toEqual(['add', 'brand', 'config', 'edit']))
it('gives one button with its page, without the other buttons', () =>
  expect(toggleAndSort([], 'add', true)).toEqual(['add', 'brand', 'config']))
it('takes all below and leaves what is above', () =>
  expect(toggleAndSort(['config', 'brand', 'add', 'product'], 'brand', false)).toEqual([
    'config',
    'product',
  ]))
it('lets a page be held without its buttons', () =>
  expect(toggleAndSort(['config', 'brand', 'add'], 'add', false)).toEqual(['brand', 'config']))
it('leaves what the giver does not hold', () =>
  expect(toggleAndSort(['secret'], 'config', false)).toEqual(['secret']))
it('gives and takes all, or only what was searched for', () => {
  expect(toggleSearchResults(nodes, ['secret'], '', true)).toHaveLength(6)
  expect(toggleSearchResults(nodes, ['secret', 'config', 'brand'], '', false)).toEqual(['secret'])
  expect(toggleSearchResults(nodes, [], ' ad', true).sort()).toEqual(['add', 'brand', 'config'])
  expect(toggleSearchResults(nodes, ['config', 'brand', 'add', 'edit'], 'ed', false)).toEqual([
    'config',
    'brand',
    'add',
  ])
})
