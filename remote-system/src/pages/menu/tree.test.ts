import type { Menu } from '@iot/shared/contract/menu'
import { landing, mayHold, treeOf } from './tree'

const row = (id: string, parentId: string | null, type: Menu['type'], sort: number) =>
  ({ id, parentId, type, sort, name: id }) as Menu
const rows = [
  row('device', null, 'folder', 1),
  row('config', 'device', 'folder', 1),
  row('brand', 'config', 'page', 2),
  row('product', 'config', 'page', 1),
  row('add', 'brand', 'button', 1),
  row('system', null, 'folder', 2),
]
const by = (id: string) => rows.find((one) => one.id === id)!

it('orders siblings by their number', () =>
  expect(treeOf(rows)[0]!.children![0]!.children!.map(({ id }) => id)).toEqual([
    'product',
    'brand',
  ]))

describe('what may lie below what', () => {
  it.each([
    ['config', 'brand', true],
    ['brand', 'add', true],
    [null, 'brand', true],
    ['brand', 'product', false],
    ['config', 'add', false],
    [null, 'add', false],
  ])('%s ← %s: %s', (parent, child, may) => expect(mayHold(rows, parent, by(child))).toBe(may))

  it('is never the row itself or something below it', () => {
    expect(mayHold(rows, 'device', by('device'))).toBe(false)
    expect(mayHold(rows, 'config', by('device'))).toBe(false)
    expect(mayHold(rows, 'system', by('device'))).toBe(true)
  })
})

describe('where a dragged row lands', () => {
  it('is the first place when dropped into a row', () =>
    expect(landing(rows, 'brand', by('system'), 'into')).toEqual({ parentId: 'system', index: 0 }))
  it('is before or after a sibling, counted without itself', () => {
    expect(landing(rows, 'brand', by('product'), 'before')).toEqual({
      parentId: 'config',
      index: 0,
    })
    expect(landing(rows, 'product', by('brand'), 'after')).toEqual({ parentId: 'config', index: 1 })
  })
})
