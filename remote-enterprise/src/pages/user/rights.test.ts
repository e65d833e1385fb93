import { foundToggled, type Grantable, toggled } from './rights'

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
const after = (held: string[], id: string, isGiven: boolean) =>
  toggled(nodes, held, id, isGiven).sort()

it('gives all below and the way to it', () =>
  expect(after([], 'brand', true)).toEqual(['add', 'brand', 'config', 'edit']))
it('gives one button with its page, without the other buttons', () =>
  expect(after([], 'add', true)).toEqual(['add', 'brand', 'config']))
it('takes all below and leaves what is above', () =>
  expect(after(['config', 'brand', 'add', 'product'], 'brand', false)).toEqual([
    'config',
    'product',
  ]))
it('lets a page be held without its buttons', () =>
  expect(after(['config', 'brand', 'add'], 'add', false)).toEqual(['brand', 'config']))
it('leaves what the giver does not hold', () =>
  expect(after(['secret'], 'config', false)).toEqual(['secret']))
it('gives and takes all, or only what was searched for', () => {
  expect(foundToggled(nodes, ['secret'], '', true)).toHaveLength(6)
  expect(foundToggled(nodes, ['secret', 'config', 'brand'], '', false)).toEqual(['secret'])
  expect(foundToggled(nodes, [], ' ad', true).sort()).toEqual(['add', 'brand', 'config'])
  expect(foundToggled(nodes, ['config', 'brand', 'add', 'edit'], 'ed', false)).toEqual([
    'config',
    'brand',
    'add',
  ])
})
