import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import type { Input } from '@iot/shared/contract/endpoint'
import { viewApi } from '@iot/shared/contract/project/view.api'
import type { ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { deviceGroup } from '../../tables/deviceGroup'
import { scene } from '../../tables/scene'
import { space } from '../../tables/space'
import { ownApp, type TestApp } from '../../testing'

const unknownId = '018f0000-0000-7000-8000-000000000000'

describe('the cards of a view', () => {
  const [floor, room, otherProjectFloor, sceneId] = [
    uuidv7(),
    uuidv7(),
    uuidv7(),
    uuidv7(),
  ] as const
  const [group, otherProjectGroup] = [uuidv7(), uuidv7()] as const
  const createCard = (id: string, config: ViewCard['config'], change: Partial<ViewCard> = {}) => ({
    id,
    title: '',
    projectId: null,
    x: 0,
    y: 0,
    w: 4,
    h: 4,
    config,
    ...change,
  })
  const createNoteCard = (id: string, text: string, change?: Partial<ViewCard>) =>
    createCard(id, { kind: 'note', text }, change)
  const createPlanCard = (spaceId: string, change?: Partial<ViewCard>) =>
    createCard('plan', { kind: 'plan', spaceId }, { projectId: 1, ...change })
  const arrange = (target: { id: string; version: number }, cards: ViewCard[], projectId = 1) =>
    admin().call(viewApi.arrange, { id: target.id, version: target.version, projectId, cards })
  const getArrangeErrors = (
    target: { id: string; version: number },
    cards: ViewCard[],
    projectId = 1,
  ) => arrange(target, cards, projectId).catch(({ data }) => data.fields)
  const admin = () => app.as('admin')
  const create = (path: string, change: Partial<Input<typeof viewApi.create>> = {}) =>
    admin().call(viewApi.create, {
      parentId: null,
      name: `视图 ${path}`,
      path,
      icon: '',
      roleIds: [],
      projectIds: [],
      visible: true,
      isDefault: false,
      sort: 1,
      status: 'enabled',
      ...change,
    })
  let app: TestApp
  let view: Awaited<ReturnType<typeof create>>

  // The suite has its own platform, because it counts spaces.
  beforeAll(async () => {
    app = await ownApp()
    const row = { projectId: 1, sort: 1, name: '楼' }
    await app.app.db.insert(space).values([
      { ...row, id: floor, parentId: null, type: 'floor' },
      { ...row, id: room, parentId: floor, type: 'room' },
      { ...row, id: otherProjectFloor, parentId: null, type: 'floor', projectId: 2 },
    ])
    await app.app.db.insert(scene).values({
      id: sceneId,
      projectId: 2,
      name: '下班',
      icon: '',
      sort: 1,
      createBy: 'admin',
      updateBy: 'admin',
    })
    const manualRules = {
      kind: 'hand' as const,
      deviceIds: [],
      productIds: [],
      spaceIds: [],
      tags: [],
    }
    const groupRow = { ...manualRules, description: '', createBy: 'admin', updateBy: 'admin' }
    await app.app.db.insert(deviceGroup).values([
      { ...groupRow, id: group, projectId: 1, name: '走廊组' },
      { ...groupRow, id: otherProjectGroup, projectId: 2, name: '走廊组' },
    ])
    view = await create('cards')
  })
  afterAll(() => app.close())

  it('refuses without permission to edit views, and for a project out of sight', async () => {
    const operator = await app.join('cards-op', 'operator', [1])
    const { id, version } = view
    const input = { id, version, projectId: 1, cards: [] }
    await expect(operator.call(viewApi.arrange, input)).rejects.toMatchObject({ status: 403 })
    await expect(operator.call(viewApi.cards, { id, projectId: 2 })).rejects.toMatchObject({
      code: 404,
    })
  })

  it('hides the cards from users who cannot see the view', async () => {
    const hiddenView = await create('cards-hidden', { visible: false })
    await expect(
      admin().call(viewApi.cards, { id: hiddenView.id, projectId: 1 }),
    ).rejects.toMatchObject({ code: 404, msg: '视图不存在或已被删除' })
  })

  it('refuses spaces and scenes of other projects, and cards that do not fit the grid', async () => {
    const wrong = { 'cards.0.config.spaceId': '所选位置不在这个项目里，或已被删除' }
    expect(await getArrangeErrors(view, [createPlanCard(otherProjectFloor)])).toEqual(wrong)
    expect(await getArrangeErrors(view, [createPlanCard(unknownId)])).toEqual(wrong)
    expect(await getArrangeErrors(view, [createPlanCard(room)])).toEqual({
      'cards.0.config.spaceId': '平面图须选择楼层',
    })
    expect(await getArrangeErrors(view, [createPlanCard(floor, { projectId: null })])).toEqual({
      'cards.0.projectId': '卡片“平面图”须属于当前项目',
    })
    expect(await getArrangeErrors(view, [createNoteCard('n', '字', { projectId: 2 })])).toEqual({
      'cards.0.projectId': '卡片“备注”须属于当前项目',
    })
    const scenes = createCard('s', { kind: 'scenes', sceneIds: [sceneId] }, { projectId: 1 })
    expect(await getArrangeErrors(view, [scenes])).toEqual({
      'cards.0.config.sceneIds': '所选场景不在这个项目里，或已被删除',
    })
    expect(await getArrangeErrors(view, [createNoteCard('n', '字', { x: 10 })])).toEqual({
      'cards.0.w': '卡片“备注”超出了 12 列',
    })
    expect(
      await getArrangeErrors(view, [createNoteCard('n', '一'), createNoteCard('n', '二')]),
    ).toEqual({
      cards: '第 2 项与第 1 项重复',
    })
    const many = Array.from({ length: 41 }, (_, n) => createNoteCard(`n${n}`, '字'))
    expect(await getArrangeErrors(view, many)).toEqual({ cards: '卡片最多 40 张' })
    const otherProjectView = await create('cards-only-2', { projectIds: [2] })
    expect(await getArrangeErrors(otherProjectView, [createNoteCard('n', '字')])).toEqual({
      projectId: `视图“${otherProjectView.name}”不在这个项目里显示`,
    })
  })

  it('refuses groups of other projects, a group with a space, and a group for all projects', async () => {
    const createActionCards = (
      groupId: string,
      change: Partial<ViewCard> = {},
      spaceId: string | null = null,
    ) => [createCard('a', { kind: 'actions', spaceId, groupId }, { projectId: 1, ...change })]
    const groupNotFound = { 'cards.0.config.groupId': '所选设备组不在这个项目里，或已被删除' }
    expect(await getArrangeErrors(view, createActionCards(otherProjectGroup))).toEqual(
      groupNotFound,
    )
    expect(await getArrangeErrors(view, createActionCards(unknownId))).toEqual(groupNotFound)
    expect(await getArrangeErrors(view, createActionCards(group, {}, floor))).toEqual({
      'cards.0.config.groupId': '位置和设备组只能选一个',
    })
    expect(await getArrangeErrors(view, createActionCards(group, { projectId: null }))).toEqual({
      'cards.0.projectId': '卡片“批量操作”须属于当前项目',
    })
  })

  it('may use a group, which can be deleted nevertheless', async () => {
    const groupView = await create('cards-group')
    const cards = [
      createCard('a', { kind: 'actions', spaceId: null, groupId: group }, { projectId: 1 }),
      createCard(
        'd',
        { kind: 'devices', spaceId: null, groupId: group, state: null },
        { projectId: 1 },
      ),
      createCard(
        's',
        { kind: 'stats', spaceId: null, groupId: group, by: 'types' },
        { projectId: 1 },
      ),
      createCard('p', { kind: 'problems', groupId: group }, { projectId: 1 }),
    ].map((item, n) => ({ ...item, y: n * 4 }))
    const first = await arrange(groupView, cards)
    expect(first.cards).toEqual(cards)
    await admin().call(deviceGroupApi.remove, { id: group })
    const second = await arrange(first, cards.slice(1))
    expect(second.cards.map(({ id }) => id)).toEqual(['d', 's', 'p'])
  })

  it('keeps the cards of other projects, and answers an outdated version with the current cards', async () => {
    const sharedView = await create('cards-kept')
    const first = await arrange(sharedView, [
      createNoteCard('all', '所有项目'),
      createPlanCard(floor),
    ])
    expect(first.cards.map(({ id }) => id)).toEqual(['all', 'plan'])
    await expect(arrange(sharedView, [])).rejects.toMatchObject({
      code: 1002,
      data: { current: { version: first.version, cards: first.cards } },
    })
    const second = await arrange(
      first,
      [createNoteCard('all', '改过'), createNoteCard('two', '二', { projectId: 2 })],
      2,
    )
    expect(second.cards.map(({ id }) => id)).toEqual(['all', 'two'])

    const viewInFirstProject = await admin().call(viewApi.cards, {
      id: sharedView.id,
      projectId: 1,
    })
    expect(viewInFirstProject.cards).toEqual([createPlanCard(floor), createNoteCard('all', '改过')])
    const tabs = await admin().call(viewApi.mine, { projectId: 1 })
    expect(tabs.find(({ id }) => id === sharedView.id)).toMatchObject({ cardCount: 2 })

    // The floor was deleted; an unchanged card for it may stay.
    await app.app.db.delete(space).where(eq(space.id, floor))
    const viewAfterMove = await arrange(viewInFirstProject, [createPlanCard(floor, { x: 2 })])
    expect(viewAfterMove.cards).toEqual([createPlanCard(floor, { x: 2 })])
    const change = await admin().call(viewApi.update, {
      ...sharedView,
      ...viewAfterMove,
      name: '改名',
    })
    const after = await admin().call(viewApi.cards, { id: change.id, projectId: 1 })
    expect(after.cards).toEqual(viewAfterMove.cards)
  })
})
