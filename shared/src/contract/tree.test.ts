import fc from 'fast-check'
import {
  createGrowingTree,
  getDropPosition,
  mapTree,
  refuseParent,
  createTree,
  walkPaths,
  type TreeRow,
  filterTree,
  createRowFilter,
  formatTreePath,
  findRowsByPath,
} from './tree'

const createRow = (id: string, parentId: string | null = null) => ({ id, parentId })
const joinIds = (rows: readonly TreeRow[]) => rows.map(({ id }) => id).join(' ')
const sampleRows = [
  createRow('a'),
  createRow('a1', 'a'),
  createRow('b'),
  createRow('a2', 'a'),
  createRow('a21', 'a2'),
  createRow('a22', 'a2'),
  createRow('orphan', 'gone'),
  createRow('x', 'y'),
  createRow('y', 'x'),
]
const tree = createTree(sampleRows)

describe('a tree of rows', () => {
  it('lists parents before children and siblings in row order', () =>
    expect(joinIds(tree.ordered())).toBe('a a1 a2 a21 a22 b'))
  it('returns the path to a row, and none for an unknown row', () => {
    expect(joinIds(tree.path('a22'))).toBe('a a2 a22')
    expect(tree.path('gone')).toEqual([])
    expect(tree.path(null)).toEqual([])
  })
  it('returns the descendants of a row including itself', () => {
    expect([...tree.within('a2')]).toEqual(['a2', 'a21', 'a22'])
    expect([...tree.within('b')]).toEqual(['b'])
  })
  it('counts its levels', () => expect([tree.levels('a'), tree.levels('b')]).toEqual([3, 1]))
  it('maps each row and omits rows mapped to nothing', () => {
    type NamedNode = { name: string; below: NamedNode[] }
    const nestedNodes = tree.nested<NamedNode>(({ id }, below) =>
      id === 'a1' || id === 'a21' ? undefined : { name: id, below },
    )
    expect(nestedNodes).toEqual([
      { name: 'a', below: [{ name: 'a2', below: [{ name: 'a22', below: [] }] }] },
      { name: 'b', below: [] },
    ])
  })
  it('terminates on a cycle', () => {
    expect(joinIds(tree.path('x'))).toBe('y x')
    expect([...tree.within('x')]).toEqual(['x', 'y'])
    expect(tree.levels('x')).toBe(2)
  })

  it('satisfies its invariants for any rows', () =>
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(30)), { maxLength: 31 }), (parents) => {
        const rows = parents.map((parent, index) =>
          createRow(`${index}`, parent === null ? null : `${parent}`),
        )
        const tree = createTree(rows)
        const ordered = tree.ordered()
        const positionById = new Map(ordered.map(({ id }, index) => [id, index]))
        for (const orderedRow of ordered) {
          const path = tree.path(orderedRow.id)
          expect(path[0]!.parentId).toBeNull()
          expect(path.at(-1)).toBe(orderedRow)
          for (const ancestor of path) {
            expect(positionById.get(ancestor.id)).toBeLessThanOrEqual(
              positionById.get(orderedRow.id)!,
            )
            expect(tree.within(ancestor.id)).toContain(orderedRow.id)
          }
        }
        // An unreachable row is in or below a cycle, or below a missing row.
        for (const unorderedRow of rows)
          if (!positionById.has(unorderedRow.id))
            expect(tree.path(unorderedRow.id)[0]!.parentId).not.toBeNull()
        expect(tree.nested<TreeRow[]>((item, below) => [item, ...below.flat()]).flat()).toEqual(
          ordered,
        )
      }),
    ))
})

describe('a deep and a wide tree', () => {
  const rowCount = 20_000
  const deepRows = Array.from({ length: rowCount }, (_, index) =>
    createRow(`${index}`, index === 0 ? null : `${index - 1}`),
  )
  const wideRows = Array.from({ length: rowCount }, (_, index) =>
    createRow(`${index}`, index === 0 ? null : '0'),
  )

  it.each([
    ['deep', deepRows, rowCount],
    ['wide', wideRows, 2],
  ])('is processed in linear time: %s', (_, rows, levels) => {
    const startCpuUsage = process.cpuUsage()
    const tree = createTree(rows.toReversed())
    expect(tree.ordered()).toHaveLength(rowCount)
    expect(tree.within('0').size).toBe(rowCount)
    expect(tree.levels('0')).toBe(levels)
    expect(tree.path(`${rowCount - 1}`)).toHaveLength(levels)
    expect(tree.nested<number>((_, below) => below.reduce((sum, item) => sum + item, 1))).toEqual([
      rowCount,
    ])
    expect(refuseParent(tree, `${rowCount - 1}`, '0', Infinity)).toBe('不能移到自己的下级')
    // This takes some 50 ms; a quadratic algorithm takes many seconds. CPU time excludes other processes.
    const { user, system } = process.cpuUsage(startCpuUsage)
    expect((user + system) / 1000).toBeLessThan(2000)
  })
})

describe('a tree of nodes', () => {
  type Node = { name: string; children?: Node[] }
  const getChildNodes = ({ children = [] }: Node) => children
  const nodes: Node[] = [
    { name: 'a', children: [{ name: 'a1' }, { name: 'a2', children: [{ name: 'a21' }] }] },
    { name: 'b' },
  ]
  it('is walked path by path', () =>
    expect(
      Array.from(walkPaths(nodes, getChildNodes), (nodePath) =>
        nodePath.map(({ name }) => name).join('/'),
      ),
    ).toEqual(['a', 'a/a1', 'a/a2', 'a/a2/a21', 'b']))
  it('is mapped to another tree', () =>
    expect(
      mapTree<Node, string>(
        nodes,
        getChildNodes,
        ({ name }, childTexts) => `${name}(${childTexts.join()})`,
      ),
    ).toEqual(['a(a1(),a2(a21()))', 'b()']))
})

describe('a tree with names', () => {
  const { tree: nameTree, add } = createGrowingTree(
    Object.entries({ 灯: null, '灯/具': null, 吸顶: '灯', 嵌入: '灯/具', 双色: '吸顶' }).map(
      ([name, parentId]) => ({ id: name, name, parentId }),
    ),
  )
  const findIdsByPath = (names: string) => findRowsByPath(nameTree, names).map(({ id }) => id)
  it('formats the path of a row and finds the row by that path', () => {
    expect(formatTreePath(nameTree, '双色')).toBe('灯 / 吸顶 / 双色')
    expect(findIdsByPath('灯 / 吸顶 / 双色')).toEqual(['双色'])
    expect(findIdsByPath(' 灯/吸顶 ')).toEqual(['吸顶'])
    expect(findIdsByPath('吸顶')).toEqual([])
    expect(findIdsByPath('')).toEqual([])
  })
  it('treats a slash inside a name as part of it', () => {
    expect(findIdsByPath('灯 / 具')).toEqual(['灯/具'])
    expect(findIdsByPath('灯/具 / 嵌入')).toEqual(['嵌入'])
  })
  it('finds all rows with the same name', () => {
    add({ id: '另一个', name: '吸顶', parentId: '灯' })
    expect(findIdsByPath('灯 / 吸顶')).toEqual(['吸顶', '另一个'])
  })
  it('keeps ancestors and descendants of a match', () =>
    expect(filterTree(nameTree, createRowFilter(['name'], '吸')).map(({ id }) => id)).toEqual([
      ...['灯', '吸顶', '双色', '另一个'],
    ]))
})

describe('the check of a parent', () => {
  it.each([
    ['below a deleted row', 'nobody', 'b', 9, '上级不存在或已被删除'],
    ['below itself', 'a', 'a', 9, '不能移到自己的下级'],
    ['below its own descendant', 'a22', 'a', 9, '不能移到自己的下级'],
    ['too deep', 'a2', 'b', 2, '最多 2 级'],
    ['too deep with its descendants', 'b', 'a', 3, '最多 3 级'],
    ['too deep as a new row', 'a2', undefined, 2, '最多 2 级'],
    ['below another', 'b', 'a2', 3, undefined],
    ['at the top', null, 'a2', 2, undefined],
    ['as a new row', 'a22', undefined, 4, undefined],
  ])('%s', (_, parentId, id, levels, reason) =>
    expect(refuseParent(tree, parentId, id, levels)).toBe(reason),
  )
})

describe('the drop position of a dragged row', () => {
  const getRow = (id: string) => tree.get(id)!
  it('is the first child when it is dropped into a row', () =>
    expect(getDropPosition(tree, 'b', getRow('a'), 'into')).toEqual({ parentId: 'a', index: 0 }))
  it('is undefined when nothing would change', () => {
    expect(getDropPosition(tree, 'a1', getRow('a1'), 'after')).toBeUndefined()
    expect(getDropPosition(tree, 'a2', getRow('a1'), 'after')).toBeUndefined()
    expect(getDropPosition(tree, 'a1', getRow('a2'), 'before')).toBeUndefined()
    expect(getDropPosition(tree, 'a21', getRow('a2'), 'into')).toBeUndefined()
  })
  it('is before or after a sibling, counted without the dragged row', () => {
    expect(getDropPosition(tree, 'a2', getRow('a1'), 'before')).toEqual({ parentId: 'a', index: 0 })
    expect(getDropPosition(tree, 'a1', getRow('a2'), 'after')).toEqual({ parentId: 'a', index: 1 })
    expect(getDropPosition(tree, 'b', getRow('a1'), 'after')).toEqual({ parentId: 'a', index: 1 })
    expect(getDropPosition(tree, 'a22', getRow('b'), 'before')).toEqual({
      parentId: null,
      index: 1,
    })
  })
})
