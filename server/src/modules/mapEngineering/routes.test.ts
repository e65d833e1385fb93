import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { dictionaryApi } from '@iot/shared/contract/platform/dictionary.api'
import type { MapGroup } from '@iot/shared/contract/project/mapEngineering.schema'
import { mapEngineeringApi } from '@iot/shared/contract/project/mapEngineering.api'
import { projectApi } from '@iot/shared/contract/project/project.api'
import { password, ownApp, type TestApp } from '../../testing'
import { arrangeGroups } from './groups'

// The suite has its own platform, because a publication regroups the projects of every user.
let app: TestApp
beforeAll(async () => {
  app = await ownApp()
})
afterAll(() => app.close())
const admin = () => app.as('admin')
const create = (name: string, fromId?: string) =>
  admin().call(mapEngineeringApi.create, { name, description: '', fromId })
const getTree = (version: string, client = admin()) =>
  client.call(projectApi.mapEngineeringTree, { engineeringId: 1, version })
const listOfferedVersions = async () =>
  (await admin().call(dictionaryApi.config, { type: 'mapEngineeringVersion' }))[0]!.configLists

const southGroup = { name: '华南片区', projectIds: [1, 2] }
const eastGroup = { name: '华东片区', projectIds: [3] }

describe('the list of versions', () => {
  it('requires a session and the permission', async () => {
    await expect(app.stranger.call(mapEngineeringApi.page, {})).rejects.toMatchObject({ code: 401 })
    const visitor = await app.join('map-visitor', 'visitor')
    await expect(visitor.call(mapEngineeringApi.page, {})).rejects.toMatchObject({ status: 403 })
  })
  it('starts with the current projects', async () => {
    const { list } = await admin().call(mapEngineeringApi.page, {})
    expect(list).toMatchObject([
      { name: 'V1.0', status: 'published', groups: [southGroup, eastGroup], projectCount: 3 },
    ])
    expect(await listOfferedVersions()).toEqual([{ code: '1', description: 'V1.0' }])
  })
})

describe('a draft version', () => {
  it('has a unique name', async () => {
    await expect(create('V1.0')).rejects.toMatchObject({
      code: 422,
      data: { fields: { name: '版本号“V1.0”已存在' } },
    })
  })
  it('refuses duplicate and unknown groups', async () => {
    const draft = await create('错的')
    const getFieldErrors = (groups: MapGroup[]) =>
      admin()
        .call(mapEngineeringApi.update, { ...draft, groups })
        .catch(({ data }) => data.fields)
    expect(await getFieldErrors([southGroup, { ...eastGroup, name: '华南片区' }])).toEqual({
      groups: '分组“华南片区”有两个',
    })
    expect(await getFieldErrors([southGroup, { ...eastGroup, projectIds: [3, 1] }])).toEqual({
      groups: '项目“科创园”在两个分组里',
    })
    expect(await getFieldErrors([{ name: '甲', projectIds: [99] }])).toEqual({
      groups: '所选项目不存在或已被删除',
    })
    expect(await getFieldErrors([{ name: 'a/b', projectIds: [] }])).toMatchObject({
      'groups.0.name': expect.any(String),
    })
    await admin().call(mapEngineeringApi.remove, { id: draft.id })
  })
  it('has no project tree', async () => {
    const draft = await create('未发布')
    expect(await getTree('未发布')).toEqual({ children: [] })
    expect(await listOfferedVersions()).toHaveLength(1)
    await admin().call(mapEngineeringApi.remove, { id: draft.id })
  })
  it('answers an outdated version with the current row', async () => {
    const draft = await create('两人')
    await admin().call(mapEngineeringApi.update, { ...draft, description: '先' })
    await expect(
      admin().call(mapEngineeringApi.publish, { id: draft.id, version: draft.version }),
    ).rejects.toMatchObject({ code: 1002, data: { current: { description: '先' } } })
    await admin().call(mapEngineeringApi.remove, { id: draft.id })
  })
})

describe('publishing a version', () => {
  const groups = [
    { name: '华东片区', projectIds: [3, 1] },
    { name: '酒店', projectIds: [2] },
  ]
  it('groups the projects for all users, archives the former version and is logged', async () => {
    const draft = await admin().call(mapEngineeringApi.update, {
      ...(await create('V1.1')),
      groups: [...groups, { name: '空的', projectIds: [] }],
    })
    const { id, version } = draft
    expect(await getTree('V1.0')).toMatchObject({ children: [{ name: '华南片区' }, {}] })
    await admin().call(mapEngineeringApi.publish, { id, version })

    expect(await listOfferedVersions()).toEqual([
      { code: '1', description: 'V1.1' },
      { code: '1', description: 'V1.0' },
    ])
    expect(await getTree('V1.1')).toMatchObject({
      children: [
        {
          name: '华东片区',
          children: [
            { projectId: 3, name: '钱塘研发中心' },
            { projectId: 1, name: '科创园' },
          ],
        },
        { name: '酒店', children: [{ projectId: 2, name: '滨海酒店' }] },
      ],
    })
    const [first] = (await getTree('V1.0')).children
    expect(first).toMatchObject({
      name: '华南片区',
      children: [{ projectId: 1 }, { projectId: 2 }],
    })
    const log = await admin().call(actionLogApi.page, { entityId: id })
    expect(log.list[0]).toMatchObject({
      verb: '发布地图工程',
      changes: [{ field: 'status', title: '状态', before: '草稿', after: '已发布' }],
    })
    const publishedVersion = { id, version: version + 1 }
    await expect(admin().call(mapEngineeringApi.publish, publishedVersion)).rejects.toMatchObject({
      msg: '只有草稿可以发布，请复制为草稿',
    })
    await expect(
      admin().call(mapEngineeringApi.update, { ...draft, ...publishedVersion }),
    ).rejects.toMatchObject({ msg: '已发布的版本不能修改，请复制为草稿' })
    await expect(admin().call(mapEngineeringApi.remove, { id })).rejects.toMatchObject({
      msg: '已发布的版本正在使用，不能删除',
    })
  })
  it('of the archived version reverts it', async () => {
    const { list } = await admin().call(mapEngineeringApi.page, { name: 'V1.0' })
    const { id, version, groups } = await create('V1.2', list[0]!.id)
    expect(groups).toEqual([southGroup, eastGroup])
    await admin().call(mapEngineeringApi.publish, { id, version })
    expect(await getTree('V1.2')).toMatchObject({
      children: [{ name: '华南片区' }, { name: '华东片区' }],
    })
  })
  it('shows each user only the projects they may see', async () => {
    const visitor = await app.join('map-two', 'visitor', [2])
    expect(
      await visitor.call(projectApi.mapEngineeringTree, { engineeringId: 1, version: 'V1.2' }),
    ).toMatchObject({
      children: [{ name: '华南片区', children: [{ projectId: 2, name: '滨海酒店' }] }],
    })
  })
})

describe('GET /v1/dictionary/config', () => {
  it('answers 304 without a body for a matching ETag', async () => {
    const headers = { satoken: `Bearer ${await app.login('admin', password)}` }
    const getConfig = (extraHeaders: object = {}) =>
      app.app.inject({ url: '/v1/dictionary/config', headers: { ...headers, ...extraHeaders } })
    const firstResponse = await getConfig()
    expect(firstResponse.headers).toMatchObject({ 'cache-control': 'private, no-cache' })
    const entityTag = firstResponse.headers.etag as string
    expect(entityTag).toMatch(/^W\/"/)
    const secondResponse = await getConfig({ 'if-none-match': entityTag })
    expect([secondResponse.statusCode, secondResponse.body]).toEqual([304, ''])
    await create('别的').then(({ id, version }) =>
      admin().call(mapEngineeringApi.publish, { id, version }),
    )
    expect((await getConfig({ 'if-none-match': entityTag })).statusCode).toBe(200)
  })
})

test('projects created later come last in their group, and deleted ones are omitted', () => {
  const projectRow = (projectId: number, groupName: string) => ({
    projectId,
    groupName,
    name: '楼',
  })
  expect(
    arrangeGroups(
      [{ name: '甲', projectIds: [1, 9] }],
      [projectRow(1, '乙'), projectRow(2, '甲'), projectRow(3, '丙')],
    ),
  ).toEqual([
    { name: '甲', projectIds: [1, 2] },
    { name: '丙', projectIds: [3] },
  ])
})
