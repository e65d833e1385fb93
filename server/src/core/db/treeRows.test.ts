import { refuseParent, treeOf } from '@iot/shared/contract/tree'
import { uuidv7 } from 'uuidv7'
import { menu } from '../../tables/menu'
import { transaction, type Db } from './db'
import { openDatabase } from './open'
import { migrate } from './migrate'
import { testPostgres } from './postgres/testing'
import { treeRows } from './treeRows'

let postgres: Awaited<ReturnType<typeof testPostgres>>
let database: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  postgres = await testPostgres()
  database = await openDatabase({ kind: 'server', url: postgres.url })
  await migrate(database.db)
})
afterAll(async () => {
  await database?.close()
  await postgres?.close()
})
beforeEach(() => database.db.delete(menu))

const row = (id: string, sort: number, parentId: string | null = null) => ({
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
const move = (id: string, parentId: string | null, index = 0) =>
  transaction(database.db, async (tx: Db) => {
    const rows = treeRows(tx, menu)
    const tree = treeOf(await rows.held())
    if (refuseParent(tree, parentId, id, 9)) return 'refused'
    return rows.place(tree, id, { parentId, index }, 'mover')
  })
const all = () => treeRows(database.db, menu).all()

it('numbers the siblings anew and leaves alone who stands right', async () => {
  const [a, b, c, d] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()]
  await database.db.insert(menu).values([row(a, 1), row(b, 5), row(c, 7), row(d, 1, a)])
  expect(await move(d, null, 1)).toBe(2)
  expect((await all()).map(({ id, sort, version }) => [id, sort, version])).toEqual([
    [a, 1, 1],
    [d, 2, 2],
    [b, 3, 2],
    [c, 4, 2],
  ])
  expect(await move(d, null, 99)).toBe(4)
  expect((await all()).map(({ id }) => id)).toEqual([a, b, c, d])
})

it('never makes a circle of two moves at once', async () => {
  for (let round = 0; round < 10; round++) {
    const [a, b] = [uuidv7(), uuidv7()]
    await database.db.delete(menu)
    await database.db.insert(menu).values([row(a, 1), row(b, 2)])
    const answers = await Promise.all([move(a, b), move(b, a)])
    expect(answers.filter((answer) => answer === 'refused')).toHaveLength(1)
    expect(treeOf(await all()).ordered()).toHaveLength(2)
  }
})
