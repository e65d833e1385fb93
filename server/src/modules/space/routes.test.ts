import { projectApi } from '@iot/shared/contract/project'
import { spaceApi, type SpaceDraft } from '@iot/shared/contract/space'
import { uploadPath, type UploadedFile } from '@iot/shared/contract/upload'
import { and, eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { device, product } from '../../tables/device'
import { makeProject } from '../project/testing'
import { sharedApp, type TestApp } from '../../testing'
import { createJpeg } from '../upload/testing.pictures'

let projectId: number
let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
  ;({ projectId } = await makeProject(app, '空间测试'))
})
const admin = () => app.as('admin')
let count = 0
const add = (type: SpaceDraft['type'], parentId: string | null = null, name = `空间 ${++count}`) =>
  admin().call(spaceApi.create, { projectId, parentId, type, name })
const list = () => admin().call(spaceApi.list, { projectId })
const find = async (id: string) => (await list()).find((row) => row.id === id)

async function addDevice(spaceId: string, floorId: string) {
  const [kind] = await app.app.db
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
      productId: kind!.id,
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
const deviceNow = async (id: string) =>
  (
    await app.app.db
      .select()
      .from(device)
      .where(and(eq(device.projectId, projectId), eq(device.id, id)))
  )[0]!

async function send(content: string | Buffer, name: string) {
  const end = 'x-----------x'
  const head = `--${end}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  const response = await app.app.inject({
    method: 'POST',
    url: uploadPath,
    headers: {
      ...(await app.as('admin').headers()),
      'content-type': `multipart/form-data; boundary=${end}`,
    },
    payload: Buffer.concat([
      Buffer.from(head),
      Buffer.from(content),
      Buffer.from(`\r\n--${end}--`),
    ]),
  })
  return response.json<{ code: number; msg: string; data: UploadedFile }>()
}

describe('a space of others', () => {
  it('is neither made nor moved, changed, copied or deleted', async () => {
    const { id, version } = await add('building')
    const owner = await app.join('spaces-of-three', 'project-admin', [3])
    for (const wrong of [
      () => owner.call(spaceApi.list, { projectId }),
      () =>
        owner.call(spaceApi.create, { projectId, parentId: null, type: 'building', name: '楼' }),
      () => owner.call(spaceApi.update, { id, version, name: '楼' }),
      () => owner.call(spaceApi.move, { id, parentId: null, index: 0 }),
      () => owner.call(spaceApi.moveMany, { projectId, ids: [id], parentId: null }),
      () => owner.call(spaceApi.setPlan, { id, version, metres: 1 }),
      () => owner.call(spaceApi.copy, { id, name: '楼' }),
    ])
      await expect(wrong()).rejects.toMatchObject({ code: 404 })
    await expect(owner.call(spaceApi.remove, { id })).rejects.toMatchObject({ code: 404 })
  })
})

describe('POST /v1/space', () => {
  it('refuses a level where it does not belong, and a parent of another project', async () => {
    const { id } = await add('building')
    await expect(add('room', id)).rejects.toMatchObject({
      data: { fields: { parentId: '房间只能放在楼层或区域下面' } },
    })
    await expect(add('floor')).rejects.toMatchObject({
      data: { fields: { parentId: '楼层只能放在楼栋下面' } },
    })
    await expect(
      admin().call(spaceApi.create, { projectId: 3, parentId: id, type: 'floor', name: '1 层' }),
    ).rejects.toMatchObject({ data: { fields: { parentId: '上级不存在或已被删除' } } })
  })
  it('refuses a name that stands there', async () => {
    const { id } = await add('building')
    await add('floor', id, '1 层')
    await expect(add('floor', id, '1 层')).rejects.toMatchObject({
      data: { fields: { name: '那里已有“1 层”' } },
    })
  })
})

describe('moving', () => {
  it('refuses a wrong level', async () => {
    const building = await add('building')
    const floor = await add('floor', building.id)
    await expect(
      admin().call(spaceApi.move, { id: building.id, parentId: floor.id, index: 0 }),
    ).rejects.toMatchObject({ data: { fields: { parentId: '不能移到自己的下级' } } })
    await expect(
      admin().call(spaceApi.move, { id: floor.id, parentId: null, index: 0 }),
    ).rejects.toMatchObject({ data: { fields: { parentId: '楼层只能放在楼栋下面' } } })
  })
  it('takes the devices along, which leave the plan of the former floor', async () => {
    const building = await add('building')
    const [one, other] = [await add('floor', building.id), await add('floor', building.id)]
    const area = await add('area', one.id)
    const room = await add('room', area.id)
    const lamp = await addDevice(room.id, one.id)
    await admin().call(spaceApi.move, { id: room.id, parentId: one.id, index: 0 })
    expect(await deviceNow(lamp.id)).toMatchObject({ floorId: one.id, x: 0.5 })
    await admin().call(spaceApi.move, { id: room.id, parentId: other.id, index: 0 })
    expect(await deviceNow(lamp.id)).toMatchObject({ floorId: other.id, x: null, y: null })
  })
  it('moves many, and says of each that stays why', async () => {
    const [from, to] = [await add('building'), await add('building')]
    const floors = [await add('floor', from.id, '甲'), await add('floor', from.id, '乙')]
    await add('floor', to.id, '乙')
    const ids = [...floors.map(({ id }) => id), from.id]
    expect(
      await admin().call(spaceApi.moveMany, { projectId, ids, parentId: to.id }),
    ).toMatchObject([
      { name: '甲', ok: true },
      { name: '乙', ok: false, reason: '那里已有“乙”' },
      { ok: false, reason: '楼栋只能放在最上一级' },
    ])
    expect(await find(floors[0]!.id)).toMatchObject({ parentId: to.id })
  })
  it('moves what stands below another of them with it', async () => {
    const building = await add('building')
    const [one, other] = [await add('floor', building.id), await add('floor', building.id)]
    const area = await add('area', one.id)
    const room = await add('room', area.id)
    const ids = [room.id, area.id]
    expect(
      await admin().call(spaceApi.moveMany, { projectId, ids, parentId: other.id }),
    ).toMatchObject([{ ok: true }, { ok: true }])
    expect(await find(area.id)).toMatchObject({ parentId: other.id })
    expect(await find(room.id)).toMatchObject({ parentId: area.id })
  })
})

describe('the plan of a floor', () => {
  it('refuses a drawing of a CAD program, with what to do', async () => {
    const hint = '不支持 CAD 图纸（DXF、DWG），请在 CAD 里把它导出为 SVG 再上传'
    expect(await send('  0\r\nSECTION\r\n  2\r\nHEADER\r\n', 'a.dxf')).toMatchObject({ msg: hint })
    expect(await send('AC1032\0\0\0', 'a.dwg')).toMatchObject({ msg: hint })
  })
  it('refuses what is no floor, no file and no size', async () => {
    const building = await add('building')
    const floor = await add('floor', building.id)
    const set = (picture: string, to = floor) =>
      admin().call(spaceApi.setPlan, {
        id: to.id,
        version: to.version,
        picture,
        metres: null,
      })
    await expect(set('', building)).rejects.toMatchObject({ msg: '只有楼层有平面图' })
    await expect(set(`${uploadPath}/${'0'.repeat(32)}`)).rejects.toMatchObject({
      data: { fields: { picture: '图片不存在，请重新上传' } },
    })
    await expect(set('https://example.com/a.svg')).rejects.toMatchObject({ code: 422 })
    const { data } = await send('<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>', 'a.svg')
    await expect(set(data.url)).rejects.toMatchObject({
      data: { fields: { picture: expect.stringContaining('没有宽和高') } },
    })
  })
  it('takes a picture without its scripts, with its scale', async () => {
    const floor = await add('floor', (await add('building')).id)
    const { data } = await send(
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
    const [shown] = (await admin().call(projectApi.spaces, { projectId })).filter(
      ({ id }) => id === floor.id,
    )
    expect(shown).toMatchObject({ plan: data.url })
    const picture = await app.app.inject({ method: 'GET', url: data.url })
    expect(picture.body).not.toContain('script')
  })
  it.each([
    [1, 60, 30],
    [3, 60, 30],
    [6, 30, 60],
    [8, 30, 60],
  ])('reads the sides of a photograph with orientation %i as it is drawn', async (...given) => {
    const [orientation, planWidth, planHeight] = given
    const { id, version } = await add('floor', (await add('building')).id)
    const { data } = await send(createJpeg(60, 30, orientation), 'a.jpg')
    await admin().call(spaceApi.setPlan, { id, version, picture: data.url, metres: 60 })
    expect(await find(id)).toMatchObject({ planWidth, planHeight })
  })
})

it('copies a floor with its areas and rooms, without devices', async () => {
  const building = await add('building')
  const floor = await add('floor', building.id)
  const area = await add('area', floor.id, '北区')
  const room = await add('room', area.id, '101')
  await addDevice(room.id, floor.id)
  await expect(admin().call(spaceApi.copy, { id: building.id, name: '楼' })).rejects.toMatchObject({
    msg: '只有楼层可以复制',
  })
  const copy = await admin().call(spaceApi.copy, { id: floor.id, name: '2 层' })
  const rows = await list()
  const north = rows.find(({ parentId }) => parentId === copy.id)!
  expect(north).toMatchObject({ name: '北区', type: 'area' })
  expect(rows.find(({ parentId }) => parentId === north.id)).toMatchObject({
    name: '101',
    type: 'room',
    deviceCount: 0,
  })
})

it('keeps a space that something stands in, and names it', async () => {
  const floor = await add('floor', (await add('building')).id)
  const room = await add('room', floor.id, '机房')
  await expect(admin().call(spaceApi.remove, { id: floor.id })).rejects.toMatchObject({
    code: 1003,
    data: { references: [{ entity: '房间', name: '机房' }] },
  })
  await addDevice(room.id, floor.id)
  await expect(admin().call(spaceApi.remove, { id: room.id })).rejects.toMatchObject({
    data: { references: [{ entity: '设备', name: '吊灯' }] },
  })
  const empty = await add('room', floor.id)
  await admin().call(spaceApi.remove, { id: empty.id })
  expect(await find(empty.id)).toBeUndefined()
})
