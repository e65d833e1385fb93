import { projectApi } from '@iot/shared/contract/project/project.api'
import { sharedApp, type TestApp } from '../../testing'
import { space } from '../../tables/space'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})

describe('GET /v1/map-engineering/tree', () => {
  const treeQuery = { engineeringId: 1, version: 'V1.0' }
  const [id, timeZone] = [expect.any(String) as string, 'Asia/Shanghai']
  it('refuses without a session', () =>
    expect(app.stranger.call(projectApi.mapEngineeringTree, treeQuery)).rejects.toMatchObject({
      code: 401,
    }))
  it('refuses an id that is no number', () =>
    expect(
      app.as('admin').call(projectApi.mapEngineeringTree, { engineeringId: 'x', version: '' }),
    ).rejects.toMatchObject({ code: 422, data: { fields: { engineeringId: expect.anything() } } }))
  it('answers with groups and their projects', async () =>
    expect(await app.as('admin').call(projectApi.mapEngineeringTree, treeQuery)).toEqual({
      // Other tests create projects of their own.
      children: expect.arrayContaining([
        {
          name: '华南片区',
          children: [
            { projectId: 1, id, timeZone, name: '科创园' },
            { projectId: 2, id, timeZone, name: '滨海酒店' },
          ],
        },
        { name: '华东片区', children: [{ projectId: 3, id, timeZone, name: '钱塘研发中心' }] },
      ]),
    }))
  it('is empty for another engineering version', async () =>
    expect(
      await app.as('admin').call(projectApi.mapEngineeringTree, { ...treeQuery, engineeringId: 9 }),
    ).toEqual({ children: [] }))
})

describe('GET /v1/project/{projectId}/spaces', () => {
  it('refuses a project the user cannot see', async () => {
    const visitor = await app.join('of-two', 'visitor', [2])
    await expect(visitor.call(projectApi.spaces, { projectId: 3 })).rejects.toMatchObject({
      code: 404,
    })
  })
  it('answers with the spaces of the project only, each with the URL of its plan', async () => {
    const spaceFields = { sort: 1, type: 'building' as const, parentId: null }
    await app.app.db.insert(space).values([
      { ...spaceFields, projectId: 3, name: '有图', planHash: 'abc' },
      { ...spaceFields, projectId: 1, name: '别处' },
    ])
    expect(await app.as('admin').call(projectApi.spaces, { projectId: 3 })).toMatchObject([
      { name: '有图', plan: '/v1/floor-plan/abc.svg' },
    ])
  })
})
