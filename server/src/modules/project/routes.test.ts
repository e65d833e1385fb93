import { projectApi } from '@iot/shared/contract/project'
import { testApp, type TestApp } from '../../testing'
import { space } from '../../tables/space'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

describe('GET /v1/map-engineering/tree', () => {
  const wanted = { engineeringId: 1, version: 'V1.0' }
  it('refuses a stranger', () =>
    expect(app.stranger.call(projectApi.mapEngineeringTree, wanted)).rejects.toMatchObject({
      code: 401,
    }))
  it('refuses an id that is no number', () =>
    expect(
      app.as('admin').call(projectApi.mapEngineeringTree, { engineeringId: 'x', version: '' }),
    ).rejects.toMatchObject({ code: 422, data: { fields: { engineeringId: expect.anything() } } }))
  it('answers groups with their projects', async () =>
    expect(await app.as('admin').call(projectApi.mapEngineeringTree, wanted)).toEqual({
      children: [
        {
          name: '华南片区',
          children: [
            { projectId: 1, name: '科创园' },
            { projectId: 2, name: '滨海酒店' },
          ],
        },
        { name: '华东片区', children: [{ projectId: 3, name: '钱塘研发中心' }] },
      ],
    }))
  it('answers nothing for another engineering', async () =>
    expect(
      await app.as('admin').call(projectApi.mapEngineeringTree, { ...wanted, engineeringId: 9 }),
    ).toEqual({ children: [] }))
})

describe('POST /v1/project/snapshot/tree', () => {
  it('refuses a stranger', () =>
    expect(app.stranger.call(projectApi.snapshotTree, { projectId: 1 })).rejects.toMatchObject({
      code: 401,
    }))
  it('refuses a project that does not exist', () =>
    expect(app.as('admin').call(projectApi.snapshotTree, { projectId: 99 })).rejects.toMatchObject({
      code: 404,
    }))
  it('answers the spaces below the project, in their order', async () => {
    const building = {
      projectId: 2,
      parentId: null,
      type: 'building' as const,
      name: '主楼',
      sort: 1,
    }
    const [{ id } = { id: '' }] = await app.app.db
      .insert(space)
      .values(building)
      .returning({ id: space.id })
    await app.app.db.insert(space).values(
      [2, 1].map((n) => ({
        projectId: 2,
        parentId: id,
        type: 'floor' as const,
        name: `${n} 层`,
        sort: n,
      })),
    )
    const tree = await app.as('admin').call(projectApi.snapshotTree, { projectId: 2 })
    expect(tree).toMatchObject({
      type: 'project',
      name: '滨海酒店',
      deviceCount: 0,
      children: [{ name: '主楼', children: [{ name: '1 层' }, { name: '2 层' }] }],
    })
  })
})
