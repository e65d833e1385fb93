import fc from 'fast-check'
import {
  growingTree,
  landing,
  mapTree,
  refuseParent,
  treeOf,
  walk,
  type TreeRow,
  around,
  matching,
  namesTo,
  rowsAt,
} from './tree'

const row = (id: string, parentId: string | null = null) => ({ id, parentId })
const ids = (rows: readonly TreeRow[]) => rows.map(({ id }) => id).join(' ')
const some = [
  row('a'),
  row('a1', 'a'),
  row('b'),
  row('a2', 'a'),
  row('a21', 'a2'),
  row('a22', 'a2'),
  row('orphan', 'gone'),
  row('x', 'y'),
  row('y', 'x'),
]
const tree = treeOf(some)

describe('a tree of rows', () => {
  it('keeps parents before children and siblings in the order of the rows', () =>
    expect(ids(tree.ordered())).toBe('a a1 a2 a21 a22 b'))
  it('knows the way down to a row, and none to a row it does not have', () => {
    expect(ids(tree.path('a22'))).toBe('a a2 a22')
    expect(tree.path('gone')).toEqual([])
    expect(tree.path(null)).toEqual([])
  })
  it('knows what is below a row, the row among it', () => {
    expect([...tree.within('a2')]).toEqual(['a2', 'a21', 'a22'])
    expect([...tree.within('b')]).toEqual(['b'])
  })
  it('counts levels', () => expect([tree.levels('a'), tree.levels('b')]).toEqual([3, 1]))
  it('makes something else of each row, and leaves out what becomes nothing', () => {
    type Named = { name: string; below: Named[] }
    const named = tree.nested<Named>(({ id }, below) =>
      id === 'a1' || id === 'a21' ? undefined : { name: id, below },
    )
    expect(named).toEqual([
      { name: 'a', below: [{ name: 'a2', below: [{ name: 'a22', below: [] }] }] },
      { name: 'b', below: [] },
    ])
  })
  it('does not lose itself in a circle', () => {
    expect(ids(tree.path('x'))).toBe('y x')
    expect([...tree.within('x')]).toEqual(['x', 'y'])
    expect(tree.levels('x')).toBe(2)
  })

  it('agrees with itself, whatever the rows are', () =>
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(30)), { maxLength: 31 }), (parents) => {
        const rows = parents.map((parent, at) => row(`${at}`, parent === null ? null : `${parent}`))
        const tree = treeOf(rows)
        const ordered = tree.ordered()
        const place = new Map(ordered.map(({ id }, at) => [id, at]))
        for (const one of ordered) {
          const path = tree.path(one.id)
          expect(path[0]!.parentId).toBeNull()
          expect(path.at(-1)).toBe(one)
          for (const above of path) {
            expect(place.get(above.id)).toBeLessThanOrEqual(place.get(one.id)!)
            expect(tree.within(above.id)).toContain(one.id)
          }
        }
        // An unreachable row is in or below a cycle, or below a missing row.
        for (const one of rows)
          if (!place.has(one.id)) expect(tree.path(one.id)[0]!.parentId).not.toBeNull()
        expect(tree.nested<TreeRow[]>((one, below) => [one, ...below.flat()]).flat()).toEqual(
          ordered,
        )
      }),
    ))
})

describe('a deep and a wide tree', () => {
  const many = 20_000
  const deep = Array.from({ length: many }, (_, at) => row(`${at}`, at === 0 ? null : `${at - 1}`))
  const wide = Array.from({ length: many }, (_, at) => row(`${at}`, at === 0 ? null : '0'))

  it.each([
    ['deep', deep, many],
    ['wide', wide, 2],
  ])('is no trouble: %s', (_, rows, levels) => {
    const started = process.cpuUsage()
    const tree = treeOf(rows.toReversed())
    expect(tree.ordered()).toHaveLength(many)
    expect(tree.within('0').size).toBe(many)
    expect(tree.levels('0')).toBe(levels)
    expect(tree.path(`${many - 1}`)).toHaveLength(levels)
    expect(tree.nested<number>((_, below) => below.reduce((sum, one) => sum + one, 1))).toEqual([
      many,
    ])
    expect(refuseParent(tree, `${many - 1}`, '0', Infinity)).toBe('不能移到自己的下级')
    // This takes some 50 ms; a quadratic algorithm takes many seconds. CPU time excludes other processes.
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1000).toBeLessThan(2000)
  })
})

describe('a tree of nodes', () => {
  type Node = { name: string; children?: Node[] }
  const below = ({ children = [] }: Node) => children
  const nodes: Node[] = [
    { name: 'a', children: [{ name: 'a1' }, { name: 'a2', children: [{ name: 'a21' }] }] },
    { name: 'b' },
  ]
  it('is walked along its lines', () =>
    expect(
      Array.from(walk(nodes, below), (line) => line.map(({ name }) => name).join('/')),
    ).toEqual(['a', 'a/a1', 'a/a2', 'a/a2/a21', 'b']))
  it('is made into another', () =>
    expect(
      mapTree<Node, string>(nodes, below, ({ name }, made) => `${name}(${made.join()})`),
    ).toEqual(['a(a1(),a2(a21()))', 'b()']))
})

describe('a tree of names', () => {
  const { tree: named, add } = growingTree(
    Object.entries({ 灯: null, '灯/具': null, 吸顶: '灯', 嵌入: '灯/具', 双色: '吸顶' }).map(
      ([name, parentId]) => ({ id: name, name, parentId }),
    ),
  )
  const idsAt = (names: string) => rowsAt(named, names).map(({ id }) => id)
  it('says where a row stands, and finds it by that', () => {
    expect(namesTo(named, '双色')).toBe('灯 / 吸顶 / 双色')
    expect(idsAt('灯 / 吸顶 / 双色')).toEqual(['双色'])
    expect(idsAt(' 灯/吸顶 ')).toEqual(['吸顶'])
    expect(idsAt('吸顶')).toEqual([])
    expect(idsAt('')).toEqual([])
  })
  it('takes a slash in a name for a part of it', () => {
    expect(idsAt('灯 / 具')).toEqual(['灯/具'])
    expect(idsAt('灯/具 / 嵌入')).toEqual(['嵌入'])
  })
  it('finds all that are called the same', () => {
    add({ id: '另一个', name: '吸顶', parentId: '灯' })
    expect(idsAt('灯 / 吸顶')).toEqual(['吸顶', '另一个'])
  })
  it('shows what is found with all above and below it', () =>
    expect(around(named, matching(['name'], '吸')).map(({ id }) => id)).toEqual([
      ...['灯', '吸顶', '双色', '另一个'],
    ]))
})

describe('where a row may stand', () => {
  it.each([
    ['below a row that is gone', 'nobody', 'b', 9, '上级不存在或已被删除'],
    ['below itself', 'a', 'a', 9, '不能移到自己的下级'],
    ['below what is below it', 'a22', 'a', 9, '不能移到自己的下级'],
    ['too deep', 'a2', 'b', 2, '最多 2 级'],
    ['too deep with what is below it', 'b', 'a', 3, '最多 3 级'],
    ['too deep as a new row', 'a2', undefined, 2, '最多 2 级'],
    ['below another', 'b', 'a2', 3, undefined],
    ['at the top', null, 'a2', 2, undefined],
    ['as a new row', 'a22', undefined, 4, undefined],
  ])('%s', (_, parentId, id, levels, why) =>
    expect(refuseParent(tree, parentId, id, levels)).toBe(why),
  )
})

describe('where a dragged row lands', () => {
  const onto = (id: string) => tree.get(id)!
  it('is the first place when it is dropped into a row', () =>
    expect(landing(tree, 'b', onto('a'), 'into')).toEqual({ parentId: 'a', index: 0 }))
  it('is nowhere new when it is dropped where it stands', () => {
    expect(landing(tree, 'a1', onto('a1'), 'after')).toBeUndefined()
    expect(landing(tree, 'a2', onto('a1'), 'after')).toBeUndefined()
    expect(landing(tree, 'a1', onto('a2'), 'before')).toBeUndefined()
    expect(landing(tree, 'a21', onto('a2'), 'into')).toBeUndefined()
  })
  it('is before or after a sibling, counted without itself', () => {
    expect(landing(tree, 'a2', onto('a1'), 'before')).toEqual({ parentId: 'a', index: 0 })
    expect(landing(tree, 'a1', onto('a2'), 'after')).toEqual({ parentId: 'a', index: 1 })
    expect(landing(tree, 'b', onto('a1'), 'after')).toEqual({ parentId: 'a', index: 1 })
    expect(landing(tree, 'a22', onto('b'), 'before')).toEqual({ parentId: null, index: 1 })
  })
})
