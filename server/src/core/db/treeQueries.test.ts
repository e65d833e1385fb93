import { refuseParent, createTree } from '@iot/shared/contract/tree'
import { uuidv7 } from 'uuidv7'
import { menu } from '../../tables/menu'
import { transaction, type Db } from './db'
import { createTestDatabase } from '../../testing.database'
import { openDatabase } from './openDatabase'
import { treeQueries } from './treeQueries'

let database: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  database = await openDatabase(await createTestDatabase())
})
afterAll(() => database?.close())
beforeEach(() => database.db.delete(menu))

const createRow = (id: string, sort: number, parentId: string | null = null) => ({
  id,
  parentId,
  sort,
  name: '目录',
  type: 'folder' as const,
  path: '',
  routeName: '',
  icon: '',
  permission: '',
  visible: true,
  status: 'enabled' as const,
  builtin: false,
  createBy: 'test',
  updateBy: 'test',
})
const moveRow = (id: string, parentId: string | null, index = 0) =>
  transaction(database.db, async (tx: Db) => {
    const rows = treeQueries(tx, menu)
    const tree = createTree(await rows.lockAll())
    if (refuseParent(tree, parentId, id, 9)) return 'refused'
    return rows.moveRow(tree, id, { parentId, index }, 'mover')
  })
const listRows = () => treeQueries(database.db, menu).all()

it('renumbers the siblings and does not update rows already in order', async () => {
  const [a, b, c, d] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()]
  await database.db
    .insert(menu)
    .values([createRow(a, 1), createRow(b, 5), createRow(c, 7), createRow(d, 1, a)])
  expect(await moveRow(d, null, 1)).toBe(2)
  expect((await listRows()).map(({ id, sort, version }) => [id, sort, version])).toEqual([
    [a, 1, 1],
    [d, 2, 2],
    [b, 3, 2],
    [c, 4, 2],
  ])
  expect(await moveRow(d, null, 99)).toBe(4)
  expect((await listRows()).map(({ id }) => id)).toEqual([a, b, c, d])
})

it('does not create a cycle when two moves run concurrently', async () => {
  for (let round = 0; round < 10; round++) {
    const [a, b] = [uuidv7(), uuidv7()]
    await database.db.delete(menu)
    await database.db.insert(menu).values([createRow(a, 1), createRow(b, 2)])
    const outcomes = await Promise.all([moveRow(a, b), moveRow(b, a)])
    expect(outcomes.filter((answer) => answer === 'refused')).toHaveLength(1)
    expect(createTree(await listRows()).ordered()).toHaveLength(2)
  }
})
