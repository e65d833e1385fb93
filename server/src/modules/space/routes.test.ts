import { projectApi } from '@iot/shared/contract/project/project.api'
import type { SpaceDraft } from '@iot/shared/contract/project/space.schema'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { uploadPath } from '@iot/shared/contract/platform/upload'
import type { UploadedFile } from '@iot/shared/contract/platform/upload.schema'
import { and, eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { device, product } from '../../tables/device'
import { createTestProject } from '../project/testing'
import { sharedApp, type TestApp } from '../../testing'
import { createJpeg } from '../upload/testing.pictures'

let projectId: number
let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
  ;({ projectId } = await createTestProject(app, '空间测试'))
})
const admin = () => app.as('admin')
let count = 0
const addSpace = (
  type: SpaceDraft['type'],
  parentId: string | null = null,
  name = `空间 ${++count}`,
) => admin().call(spaceApi.create, { projectId, parentId, type, name })
const list = () => admin().call(spaceApi.list, { projectId })
const find = async (id: string) => (await list()).find((row) => row.id === id)

async function addDevice(spaceId: string, floorId: string) {
  const [lampProduct] = await app.app.db
    .insert(product)
    .values({
      productKey: uuidv7(),
      name: '灯',
      productType: 'SAFEWAY_LIGHT',
      node: 'direct',
      model: { properties: [], services: [], events: [] },
      dynamicRegister: false,
      createBy: '',
      updateBy: '',
    })
    .returning()
  const [row] = await app.app.db
    .insert(device)
    .values({
      projectId,
      productId: lampProduct!.id,
      name: '吊灯',
      deviceName: uuidv7(),
      spaceId,
      floorId,
      protected: false,
      state: 'offline',
      x: 0.5,
      y: 0.5,
      reported: {},
      address: '',
    })
    .returning()
  return row!
}
const readDevice = async (id: string) =>
  (
    await app.app.db
      .select()
      .from(device)
      .where(and(eq(device.projectId, projectId), eq(device.id, id)))
  )[0]!

async function uploadFile(content: string | Buffer, name: string) {
  const multipartBoundary = 'x-----------x'
  const head = `--${multipartBoundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  const response = await app.app.inject({
    method: 'POST',
    url: uploadPath,
    headers: {
      ...(await app.as('admin').headers()),
      'content-type': `multipart/form-data; boundary=${multipartBoundary}`,
    },
    payload: Buffer.concat([
      Buffer.from(head),
      Buffer.from(content),
      Buffer.from(`\r\n--${multipartBoundary}--`),
    ]),
  })
  return response.json<{ code: number; msg: string; data: UploadedFile }>()
}

describe('a space out of sight', () => {
  it('can be neither created, moved, changed, copied nor deleted', async () => {
    const { id, version } = await addSpace('building')
    const owner = await app.join('spaces-of-three', 'project-admin', [3])
    for (const attempt of [
      () => owner.call(spaceApi.list, { projectId }),
      () => owner.call(spaceApi.get, { id }),
      () =>
        owner.call(spaceApi.create, { projectId, parentId: null, type: 'building', name: '楼' }),
      () => owner.call(spaceApi.update, { id, version, name: '楼' }),
      () => owner.call(spaceApi.move, { id, parentId: null, index: 0 }),
      () => owner.call(spaceApi.moveMany, { projectId, ids: [id], parentId: null }),
      () => owner.call(spaceApi.setPlan, { id, version, metres: 1 }),
      () => owner.call(spaceApi.copy, { id, name: '楼' }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 404 })
    await expect(owner.call(spaceApi.remove, { id })).rejects.toMatchObject({ code: 404 })
  })
})

describe('POST /v1/space', () => {
  it('refuses a wrong level, and a parent of another project', async () => {
    const { id } = await addSpace('building')
    await expect(addSpace('room', id)).rejects.toMatchObject({
      data: { fields: { parentId: '房间只能放在楼层或区域下面' } },
    })
    await expect(addSpace('floor')).rejects.toMatchObject({
      data: { fields: { parentId: '楼层只能放在楼栋下面' } },
    })
    await expect(
      admin().call(spaceApi.create, { projectId: 3, parentId: id, type: 'floor', name: '1 层' }),
    ).rejects.toMatchObject({ data: { fields: { parentId: '上级不存在或已被删除' } } })
  })
  it('refuses a duplicate name under the same parent', async () => {
    const { id } = await addSpace('building')
    await addSpace('floor', id, '1 层')
    await expect(addSpace('floor', id, '1 层')).rejects.toMatchObject({
      data: { fields: { name: '那里已有“1 层”' } },
    })
  })
})

describe('GET /v1/space/{id}', () => {
  it('refuses a visitor and a space that does not exist', async () => {
    const { id } = await addSpace('building')
    const visitor = await app.join('space-visitor', 'visitor', [projectId])
    await expect(visitor.call(spaceApi.get, { id })).rejects.toMatchObject({ status: 403 })
    await expect(admin().call(spaceApi.get, { id: uuidv7() })).rejects.toMatchObject({ code: 404 })
  })
  it('answers with the spaces around it and its project', async () => {
    const building = await addSpace('building', null, '读楼')
    const floor = await addSpace('floor', building.id, '8 层')
    const room = await addSpace('room', floor.id, '801')
    await addDevice(room.id, floor.id)
    expect(await admin().call(spaceApi.get, { id: room.id })).toMatchObject({
      name: '801',
      projectName: expect.stringContaining('空间测试'),
      place: '读楼 / 8 层',
      plan: null,
      deviceCount: 1,
    })
    expect(await admin().call(spaceApi.get, { id: building.id })).toMatchObject({ place: '' })
  })
})

describe('moving a space', () => {
  it('is refused to a wrong level', async () => {
    const building = await addSpace('building')
    const floor = await addSpace('floor', building.id)
    await expect(
      admin().call(spaceApi.move, { id: building.id, parentId: floor.id, index: 0 }),
    ).rejects.toMatchObject({ data: { fields: { parentId: '不能移到自己的下级' } } })
    await expect(
      admin().call(spaceApi.move, { id: floor.id, parentId: null, index: 0 }),
    ).rejects.toMatchObject({ data: { fields: { parentId: '楼层只能放在楼栋下面' } } })
  })
  it('moves its devices, which lose their position on the former plan', async () => {
    const building = await addSpace('building')
    const [firstFloor, otherFloor] = [
      await addSpace('floor', building.id),
      await addSpace('floor', building.id),
    ]
    const area = await addSpace('area', firstFloor.id)
    const room = await addSpace('room', area.id)
    const lamp = await addDevice(room.id, firstFloor.id)
    await admin().call(spaceApi.move, { id: room.id, parentId: firstFloor.id, index: 0 })
    expect(await readDevice(lamp.id)).toMatchObject({ floorId: firstFloor.id, x: 0.5 })
    await admin().call(spaceApi.move, { id: room.id, parentId: otherFloor.id, index: 0 })
    expect(await readDevice(lamp.id)).toMatchObject({ floorId: otherFloor.id, x: null, y: null })
  })
  it('of several rows reports each one that stays', async () => {
    const [sourceBuilding, targetBuilding] = [
      await addSpace('building'),
      await addSpace('building'),
    ]
    const floors = [
      await addSpace('floor', sourceBuilding.id, '甲'),
      await addSpace('floor', sourceBuilding.id, '乙'),
    ]
    await addSpace('floor', targetBuilding.id, '乙')
    const ids = [...floors.map(({ id }) => id), sourceBuilding.id]
    expect(
      await admin().call(spaceApi.moveMany, { projectId, ids, parentId: targetBuilding.id }),
    ).toMatchObject([
      { name: '甲', ok: true },
      { name: '乙', ok: false, reason: '那里已有“乙”' },
      { ok: false, reason: '楼栋只能放在最上一级' },
    ])
    expect(await find(floors[0]!.id)).toMatchObject({ parentId: targetBuilding.id })
  })
  it('moves a selected descendant together with its selected ancestor', async () => {
    const building = await addSpace('building')
    const [firstFloor, otherFloor] = [
      await addSpace('floor', building.id),
      await addSpace('floor', building.id),
    ]
    const area = await addSpace('area', firstFloor.id)
    const room = await addSpace('room', area.id)
    const ids = [room.id, area.id]
    expect(
      await admin().call(spaceApi.moveMany, { projectId, ids, parentId: otherFloor.id }),
    ).toMatchObject([{ ok: true }, { ok: true }])
    expect(await find(area.id)).toMatchObject({ parentId: otherFloor.id })
    expect(await find(room.id)).toMatchObject({ parentId: area.id })
  })
})

describe('uploading a floor plan', () => {
  it('refuses a CAD drawing and explains how to convert it', async () => {
    const hint = '不支持 CAD 图纸（DXF、DWG），请在 CAD 里把它导出为 SVG 再上传'
    expect(await uploadFile('  0\r\nSECTION\r\n  2\r\nHEADER\r\n', 'a.dxf')).toMatchObject({
      msg: hint,
    })
    expect(await uploadFile('AC1032\0\0\0', 'a.dwg')).toMatchObject({ msg: hint })
  })
  it('refuses a space that is no floor, a missing file, and a missing size', async () => {
    const building = await addSpace('building')
    const floor = await addSpace('floor', building.id)
    const savePlan = (picture: string, target = floor) =>
      admin().call(spaceApi.setPlan, {
        id: target.id,
        version: target.version,
        picture,
        metres: null,
      })
    await expect(savePlan('', building)).rejects.toMatchObject({ msg: '只有楼层有平面图' })
    await expect(savePlan(`${uploadPath}/${'0'.repeat(32)}`)).rejects.toMatchObject({
      data: { fields: { picture: '图片不存在，请重新上传' } },
    })
    await expect(savePlan('https://example.com/a.svg')).rejects.toMatchObject({ code: 422 })
    const { data } = await uploadFile(
      '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>',
      'a.svg',
    )
    await expect(savePlan(data.url)).rejects.toMatchObject({
      data: { fields: { picture: expect.stringContaining('没有宽和高') } },
    })
  })
  it('stores a picture without scripts, with its scale', async () => {
    const floor = await addSpace('floor', (await addSpace('building')).id)
    const { data } = await uploadFile(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 300"><script>alert(1)</script><rect width="9" height="9"/></svg>',
      'a.svg',
    )
    const { id, version } = floor
    await admin().call(spaceApi.setPlan, { id, version, picture: data.url, metres: 60 })
    expect(await find(floor.id)).toMatchObject({
      plan: data.url,
      planWidth: 600,
      planHeight: 300,
      metres: 60,
    })
    const [visibleSpace] = (await admin().call(projectApi.spaces, { projectId })).filter(
      ({ id }) => id === floor.id,
    )
    expect(visibleSpace).toMatchObject({ plan: data.url })
    const picture = await app.app.inject({ method: 'GET', url: data.url })
    expect(picture.body).not.toContain('script')
  })
  it.each([
    [1, 60, 30],
    [3, 60, 30],
    [6, 30, 60],
    [8, 30, 60],
  ])('reads the displayed size of a photograph with orientation %i', async (...testCase) => {
    const [orientation, planWidth, planHeight] = testCase
    const { id, version } = await addSpace('floor', (await addSpace('building')).id)
    const { data } = await uploadFile(createJpeg(60, 30, orientation), 'a.jpg')
    await admin().call(spaceApi.setPlan, { id, version, picture: data.url, metres: 60 })
    expect(await find(id)).toMatchObject({ planWidth, planHeight })
  })
})

it('copies a floor with its areas and rooms, without devices', async () => {
  const building = await addSpace('building')
  const floor = await addSpace('floor', building.id)
  const area = await addSpace('area', floor.id, '北区')
  const room = await addSpace('room', area.id, '101')
  await addDevice(room.id, floor.id)
  await expect(admin().call(spaceApi.copy, { id: building.id, name: '楼' })).rejects.toMatchObject({
    msg: '只有楼层可以复制',
  })
  const copy = await admin().call(spaceApi.copy, { id: floor.id, name: '2 层' })
  const rows = await list()
  const copiedArea = rows.find(({ parentId }) => parentId === copy.id)!
  expect(copiedArea).toMatchObject({ name: '北区', type: 'area' })
  expect(rows.find(({ parentId }) => parentId === copiedArea.id)).toMatchObject({
    name: '101',
    type: 'room',
    deviceCount: 0,
  })
})

it('refuses to delete a space with content and names it', async () => {
  const floor = await addSpace('floor', (await addSpace('building')).id)
  const room = await addSpace('room', floor.id, '机房')
  await expect(admin().call(spaceApi.remove, { id: floor.id })).rejects.toMatchObject({
    code: 1003,
    data: { references: [{ entity: '房间', name: '机房' }] },
  })
  await addDevice(room.id, floor.id)
  await expect(admin().call(spaceApi.remove, { id: room.id })).rejects.toMatchObject({
    data: { references: [{ entity: '设备', name: '吊灯' }] },
  })
  const empty = await addSpace('room', floor.id)
  await admin().call(spaceApi.remove, { id: empty.id })
  expect(await find(empty.id)).toBeUndefined()
})
