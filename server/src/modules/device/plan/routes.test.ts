import { deviceApi } from '@iot/shared/contract/device/device.api'
import { productTypeApi } from '@iot/shared/contract/product/productType.api'
import { sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { createHistoryPartitions } from '../../../core/db/historyPartitions'
import {
  deprecateProperty,
  deviceRow,
  insertDevices,
  productRow,
} from '../../../device-access/testing'
import { propertyHistory } from '../../../tables/device'
import { space } from '../../../tables/space'
import { secondPassword, sharedApp, ownApp, type TestApp } from '../../../testing'

describe('GET /v1/device/action/mode', () => {
  it('refuses without a session', async () => {
    const app = await sharedApp()
    await expect(app.stranger.call(deviceApi.actionModes, {})).rejects.toMatchObject({ code: 401 })
  })
  it('answers with each action once and the values it sets', async () => {
    const app = await sharedApp()
    const actions = await app.as('admin').call(deviceApi.actionModes, {})
    const names = actions.map(({ productType, actionType }) => `${productType} ${actionType}`)
    expect(names).toEqual(expect.arrayContaining(['SAFEWAY_LIGHT all_on', 'SAFEWAY_LIGHT all_off']))
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('device queries of the home page and the search', () => {
  const lampProduct = productRow('pkLamp', 'sub')
  const sensorProduct = productRow('pkSensor', 'sub', { productType: 'CLIMATE_SENSOR' })
  const socketProduct = productRow('pkSocket', 'sub', { productType: 'SOCKET' })
  const [building, firstFloor, secondFloor, lobby] = [
    uuidv7(),
    uuidv7(),
    uuidv7(),
    uuidv7(),
  ] as const
  const positionOn = (floorId: string, spaceId = floorId) => ({ floorId, spaceId, x: 0.5, y: 0.5 })
  const litState = { state: 'online' as const, reported: { PowerSwitch: 1 } }
  const lobbyLamp = deviceRow(lampProduct, 'l1', {
    ...positionOn(firstFloor, lobby),
    ...litState,
    name: '1F-大堂-01',
    protected: true,
  })
  const others = [
    deviceRow(lampProduct, 'l2', {
      ...positionOn(firstFloor, lobby),
      name: '1F-大堂-02',
      state: 'online',
    }),
    deviceRow(lampProduct, 'l3', { ...positionOn(secondFloor), name: '2F-走廊-01', ...litState }),
    deviceRow(lampProduct, 'l4', {
      ...positionOn(secondFloor),
      ...litState,
      state: 'offline',
      name: '2F-走廊-02',
    }),
    deviceRow(sensorProduct, 's1', { ...positionOn(secondFloor), name: '温湿度', state: 'online' }),
    deviceRow(lampProduct, 'l5', {
      name: '没有位置',
      reported: { PowerSwitch: 0 },
      state: 'online',
    }),
    deviceRow(lampProduct, 'l6', { ...positionOn(secondFloor), projectId: 2, name: '1F-大堂-99' }),
    deviceRow(sensorProduct, 's9', { name: 'Ⅱ段 ①号 ㎡', state: 'online' }),
    deviceRow(lampProduct, 'l7', { name: '新装的灯', state: 'inactive' }),
  ]
  let app: TestApp
  beforeAll(async () => {
    app = await ownApp()
    const row = { projectId: 1, sort: 1 }
    await app.app.db.insert(space).values([
      { ...row, id: building, parentId: null, type: 'building', name: '一号楼' },
      { ...row, id: firstFloor, parentId: building, type: 'floor', name: '1 层' },
      { ...row, id: secondFloor, parentId: building, type: 'floor', name: '2 层' },
      { ...row, id: lobby, parentId: firstFloor, type: 'area', name: '大堂' },
    ])
    const offAction = { actionType: 'all_off', name: '全关', identifier: 'PowerSwitch', value: 0 }
    const confirm = 'ask' as const
    await app.as('admin').call(productTypeApi.create, {
      name: '插座',
      code: 'SOCKET',
      categories: [],
      icon: '',
      color: '',
      description: '',
      sort: 9,
      status: 'enabled',
      showOnHome: false,
      actions: [{ ...offAction, confirm }],
    })
    const socket = deviceRow(socketProduct, 'p1', { ...litState, name: '插座' })
    const products = [lampProduct, sensorProduct, socketProduct]
    await insertDevices(app.app.db, products, [lobbyLamp, ...others, socket])
  })
  afterAll(() => app.close())
  const admin = () => app.as('admin')
  const search = async (text: string, most?: number) => {
    const answer = await admin().call(deviceApi.search, { projectId: 1, text, most })
    return { ...answer, list: answer.list.map(({ name }) => name) }
  }

  it('are refused without a session and for projects out of sight', async () => {
    await app.join('elsewhere', 'operator', [2])
    const deviceIds = [lobbyLamp.id]
    for (const [api, input] of [
      [deviceApi.lights, { projectId: 1 }],
      [deviceApi.search, { projectId: 1, text: '大堂' }],
      [deviceApi.problems, { projectId: 1 }],
      [deviceApi.floors, { projectId: 1 }],
      [deviceApi.types, { projectId: 1 }],
      [deviceApi.card, { id: lobbyLamp.id }],
      [deviceApi.adjustable, { projectId: 1, deviceIds }],
      [deviceApi.curve, { id: lobbyLamp.id, identifier: 'PowerSwitch' }],
      [deviceApi.mapInfo, { projectId: 1, floorId: firstFloor }],
    ] as const) {
      await expect(app.stranger.call(api, input)).rejects.toMatchObject({ code: 401 })
      await expect(app.as('elsewhere', secondPassword).call(api, input)).rejects.toMatchObject({
        code: 404,
      })
    }
  })
  it('refuse an empty search, a too long one, and a limit that is too high', async () => {
    await expect(search(' ')).rejects.toMatchObject({ code: 422 })
    await expect(search('长'.repeat(65))).rejects.toMatchObject({ code: 422 })
    await expect(search('大堂', 1000)).rejects.toMatchObject({ code: 422 })
  })
  it('answer with the devices of one floor', async () => {
    const { map } = await admin().call(deviceApi.mapInfo, { projectId: 1, floorId: firstFloor })
    expect(
      Object.values(map)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['1F-大堂-01', '1F-大堂-02'])
    expect(map[lobbyLamp.id]).toMatchObject({ spaceId: lobby, reported: { PowerSwitch: 1 } })
  })
  it('answer with the light state of each space, without power sockets', async () => {
    const spaces = await admin().call(deviceApi.lights, { projectId: 1 })
    const zeroCounts = {
      on: 0,
      off: 0,
      offline: 0,
      inactive: 0,
      unknown: 0,
      protected: 0,
      reachable: 0,
    }
    expect(new Map(spaces.map(({ spaceId, ...counts }) => [spaceId, counts]))).toEqual(
      new Map([
        [lobby, { ...zeroCounts, on: 1, unknown: 1, protected: 1, reachable: 1 }],
        [secondFloor, { ...zeroCounts, on: 1, offline: 1, reachable: 1 }],
        // A lamp that never connected is not offline.
        ['', { ...zeroCounts, off: 1, inactive: 1, reachable: 1 }],
      ]),
    )
  })
  it('match names, pinyin and places', async () => {
    expect(await search('大堂-0')).toEqual({ list: ['1F-大堂-01', '1F-大堂-02'], total: 2 })
    expect((await search('2 层')).list).toEqual(['2F-走廊-01', '2F-走廊-02', '温湿度'])
    for (const text of ['wsd', 'wenshidu', 'WenShiD'])
      expect((await search(text)).list).toEqual(['温湿度'])
    expect((await search('1f-dt')).list).toEqual(['1F-大堂-01', '1F-大堂-02'])
    expect((await search('%')).list).toEqual([])
    expect(await search('走廊', 1)).toMatchObject({ list: ['2F-走廊-01'], total: 2 })
  })
  it('find devices by DeviceName, words in any order, full-width letters, and without a place', async () => {
    expect((await search('l3')).list).toEqual(['2F-走廊-01'])
    expect((await search('01 走廊')).list).toEqual(['2F-走廊-01'])
    expect((await search('大堂　０２')).list).toEqual(['1F-大堂-02'])
    expect((await search('走廊 一号楼 02')).list).toEqual(['2F-走廊-02'])
    expect((await search('走廊 03')).list).toEqual([])
    expect((await search('2F - 走廊 - 02')).list).toEqual(['2F-走廊-02'])
    for (const text of ['一号楼2层', '一号楼/2层', '一号楼 / 2 层'])
      expect((await search(text)).list).toEqual(['2F-走廊-01', '2F-走廊-02', '温湿度'])
    // These characters stand for others, but are found as they are written.
    for (const text of ['Ⅱ段', '①号', '㎡', '㎡ Ⅱ段', 'Ⅱ段①号㎡', 'Ⅱ 段'])
      expect((await search(text)).list).toEqual(['Ⅱ段 ①号 ㎡'])
    const { list } = await admin().call(deviceApi.search, { projectId: 1, text: '没有位置' })
    expect(list).toMatchObject([{ deviceName: 'l5', floorId: null, spaceId: '' }])
  })
  it('find the devices named in a sentence, and none of another project', async () => {
    const findMentionedDevices = async (sentence: string) => {
      const { list } = await admin().call(deviceApi.named, { projectId: 1, sentence })
      return list.map(({ name }) => name)
    }
    await expect(findMentionedDevices(' ')).rejects.toMatchObject({ code: 422 })
    await expect(
      app.as('elsewhere', secondPassword).call(deviceApi.named, { projectId: 1, sentence: '关' }),
    ).rejects.toMatchObject({ code: 404 })
    expect(await findMentionedDevices('把 １Ｆ－大堂 －０１ 关了')).toEqual(['1F-大堂-01'])
    expect(await findMentionedDevices('打开l5')).toEqual(['没有位置'])
    expect(await findMentionedDevices('打开1F-大堂-99')).toEqual([])
  })
  it('answer with the details of one lamp', async () => {
    const card = await admin().call(deviceApi.card, { id: lobbyLamp.id })
    expect(card).toMatchObject({ productName: lampProduct.name, gateway: null, last: null })
    await expect(admin().call(deviceApi.card, { id: uuidv7() })).rejects.toMatchObject({
      code: 404,
    })
  })
  it('answer with the time when the lamp was switched, and with none before any change', async () => {
    const getSince = async () => (await admin().call(deviceApi.card, { id: lobbyLamp.id })).since
    const recordSwitch = async (time: string, value: number) => {
      await createHistoryPartitions(app.app.db).prepare([Date.parse(time)])
      const record = { projectId: 1, deviceId: lobbyLamp.id, identifier: 'PowerSwitch' }
      await app.app.db.insert(propertyHistory).values({ ...record, value, time })
    }
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    const switchedTime = minutesAgo(20)
    await recordSwitch(minutesAgo(50), 1)
    expect(await getSince()).toBeNull()
    await recordSwitch(minutesAgo(40), 0)
    await recordSwitch(switchedTime, 1)
    await recordSwitch(minutesAgo(10), 1)
    expect(await getSince()).toBe(switchedTime)
  })
  it('answer with what can be adjusted, and on which of the named devices', async () => {
    const [secondLamp, , , , , lampOfOtherProject] = others
    const deviceIds = [lobbyLamp.id, secondLamp!.id]
    for (const unknownId of [lampOfOtherProject!.id, uuidv7()]) {
      const input = { projectId: 1, deviceIds: [...deviceIds, unknownId] }
      await expect(admin().call(deviceApi.adjustable, input)).rejects.toMatchObject({ code: 404 })
    }
    const { list } = await admin().call(deviceApi.adjustable, { projectId: 1, deviceIds })
    expect(list).toMatchObject([
      { identifier: 'Brightness', name: '亮度', min: 0, max: 100, step: 1, unit: '' },
    ])
    expect(list[0]!.deviceIds.sort()).toEqual(deviceIds.sort())
  })
  it('answer without an adjustable property that is deprecated', async () => {
    await deprecateProperty(app.app.db, lampProduct, 'Brightness')
    const { list } = await admin().call(deviceApi.adjustable, {
      projectId: 1,
      deviceIds: [lobbyLamp.id],
    })
    await deprecateProperty(app.app.db, lampProduct)
    expect(list).toEqual([])
  })
  it('answer with the sensor values of the last day in steps of a quarter of an hour', async () => {
    const [, , , , sensor] = others
    const historyRow = (minutesAgo: number, value: number) => ({
      projectId: 1,
      deviceId: sensor!.id,
      identifier: 'CurrentTemperature',
      value,
      time: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    })
    const rows = [
      historyRow(26 * 60, 99),
      historyRow(300, 20),
      historyRow(60, 22.5),
      historyRow(0, 23),
    ]
    await createHistoryPartitions(app.app.db).prepare(rows.map(({ time }) => Date.parse(time)))
    await app.app.db.insert(propertyHistory).values(rows)
    const curve = () =>
      admin().call(deviceApi.curve, { id: sensor!.id, identifier: 'CurrentTemperature' })
    expect((await curve()).map(({ value }) => value)).toEqual([20, 22.5, 23])
  })
  it('answer with the measurements of each floor', async () => {
    const climate = deviceRow(sensorProduct, 's2', {
      ...positionOn(firstFloor),
      state: 'online',
      reported: { CurrentTemperature: 23.44, CurrentHumidity: 51.6 },
    })
    const offlineSensor = deviceRow(sensorProduct, 's3', {
      ...positionOn(firstFloor),
      state: 'offline',
      reported: { CurrentTemperature: 90 },
    })
    await insertDevices(app.app.db, [], [climate, offlineSensor])
    expect(await admin().call(deviceApi.floors, { projectId: 1 })).toEqual([
      { floorId: firstFloor, temperature: 23.4, humidity: 52, power: null },
    ])
  })
  it('count devices by type, also in one space', async () => {
    for (const where of [{ spaceId: uuidv7() }, { groupId: uuidv7() }])
      await expect(admin().call(deviceApi.types, { projectId: 1, ...where })).rejects.toMatchObject(
        { code: 404 },
      )
    const zeroCounts = { online: 0, offline: 0, inactive: 0, disabled: 0 }
    const lamps = { productType: 'SAFEWAY_LIGHT', typeName: expect.any(String) as string }
    const upstairs = await admin().call(deviceApi.types, { projectId: 1, spaceId: secondFloor })
    expect(upstairs).toEqual([
      { ...zeroCounts, ...lamps, online: 1, offline: 1 },
      {
        ...zeroCounts,
        productType: 'CLIMATE_SENSOR',
        typeName: expect.any(String) as string,
        online: 1,
      },
    ])
    const inBuilding = await admin().call(deviceApi.types, { projectId: 1, spaceId: building })
    expect(inBuilding).toContainEqual({ ...zeroCounts, ...lamps, online: 3, offline: 1 })
  })

  it('refuse a whole project beyond the limit of devices', async () => {
    const addDevices = (from: number, to: number) =>
      app.app.db.execute(sql`
        insert into device (id, project_id, product_id, name, device_name, floor_id, x, y, protected, state, reported, address, create_time)
        select gen_random_uuid(), 3, ${lampProduct.id}, 'many', 'many-' || n, ${secondFloor}, 0.5, 0.5, false, 'online', '{}', '', now()
        from generate_series(${from}::int, ${to}::int) as n`)
    await addDevices(1, 5000)
    const fetchWholeMap = () => admin().call(deviceApi.mapInfo, { projectId: 3 })
    expect(Object.keys((await fetchWholeMap()).map)).toHaveLength(5000)
    await addDevices(5001, 5001)
    await expect(fetchWholeMap()).rejects.toMatchObject({
      code: 1001,
      msg: expect.stringContaining('floorId'),
    })
    const floor = await admin().call(deviceApi.mapInfo, { projectId: 3, floorId: secondFloor })
    expect(Object.keys(floor.map)).toHaveLength(5001)
  })
})
