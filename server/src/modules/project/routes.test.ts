import { projectApi } from '@iot/shared/contract/project'
import { sharedApp, type TestApp } from '../../testing'
import { space } from '../../tables/space'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})

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

describe('GET /v1/project/{projectId}/spaces', () => {
  it('refuses a project the user may not see', async () => {
    const other = await app.join('of-two', 'visitor', [2])
    await expect(other.call(projectApi.spaces, { projectId: 3 })).rejects.toMatchObject({
      code: 404,
    })
  })
  it('answers the spaces of the project alone, each with the address of its plan', async () => {
    const sort = { sort: 1, type: 'building' as const, parentId: null }
    await app.app.db.insert(space).values([
      { ...sort, projectId: 3, name: '有图', planHash: 'abc' },
      { ...sort, projectId: 1, name: '别处' },
    ])
    expect(await app.as('admin').call(projectApi.spaces, { projectId: 3 })).toMatchObject([
      { name: '有图', plan: '/v1/floor-plan/abc.svg' },
    ])
  })
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
