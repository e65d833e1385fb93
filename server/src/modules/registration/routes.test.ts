import { productApi } from '@iot/shared/contract/product/product.api'
import type { RegistrationMode } from '@iot/shared/contract/device/registration.schema'
import {
  registrationRecordApi,
  registrationRuleApi,
} from '@iot/shared/contract/device/registration.api'
import type { Input } from '@iot/shared/contract/endpoint'
import { and, eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { chooseRule } from '../../device-access/registration/ruleChoice'
import { recordRegistration } from '../../device-access/registration/registrationRecords'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { device, deviceCredential, product } from '../../tables/device'
import { manufacturer } from '../../tables/manufacturer'
import { productCredential, registrationRecord } from '../../tables/registration'
import { space } from '../../tables/space'
import { sharedApp, type TestApp } from '../../testing'
import { createTestProject } from '../project/testing'

const lampProduct = productRow('pkRulesLamp', 'sub')
const sensorProduct = productRow('pkRulesSensor', 'direct')
const gatewayProduct = productRow('pkRulesEdge', 'gateway')
const firstGateway = deviceRow(gatewayProduct, 'rules-edge-1')
const secondGateway = deviceRow(gatewayProduct, 'rules-edge-2')
const heldLamp = deviceRow(lampProduct, 'rules-held', { gatewayId: firstGateway.id })
const floor = uuidv7()
const ownSecretProduct = productRow('pkRulesOwn', 'direct', { authType: 'deviceSecret' })
const disabledProduct = productRow('pkRulesEnded', 'sub', { status: 'disabled' })

let app: TestApp
const admin = () => app.as('admin')
beforeAll(async () => {
  app = await sharedApp()
  await insertDevices(
    app.app.db,
    [lampProduct, sensorProduct, gatewayProduct, disabledProduct, ownSecretProduct],
    [firstGateway, secondGateway, heldLamp],
  )
  await app.app.db.insert(space).values({
    id: floor,
    projectId: 1,
    parentId: null,
    type: 'floor',
    name: '规则楼层',
    sort: 1,
  })
})

type Draft = Input<typeof registrationRuleApi.create>
const draft = (productRef: { id: string }, change: Partial<Draft> = {}): Draft => ({
  productId: productRef.id,
  mode: 'free',
  projectId: 1,
  nameTemplate: '{deviceName}',
  addresses: [],
  expireTime: null,
  quota: null,
  approval: true,
  status: 'enabled',
  ...change,
})
const getFieldErrors = (call: Promise<unknown>) =>
  call.then(
    () => ({}),
    ({ data, msg }) => data?.fields ?? msg,
  )
const create = (productRef: { id: string }, change?: Partial<Draft>) =>
  admin().call(registrationRuleApi.create, draft(productRef, change))

describe('a registration rule is refused', () => {
  it('without a session and with read access only', async () => {
    await expect(app.stranger.call(registrationRuleApi.page, {})).rejects.toMatchObject({
      code: 401,
    })
    const reader = await app.join('rulesreader', 'operator', [1])
    await expect(
      reader.call(registrationRuleApi.create, draft(sensorProduct)),
    ).rejects.toMatchObject({
      status: 403,
    })
  })
  it('at the wrong field', async () => {
    expect(await getFieldErrors(create(sensorProduct, { nameTemplate: '灯' }))).toEqual({
      nameTemplate: '设备名称模板须含 {deviceName}，它代表序列号',
    })
    // An invalid range would silently match no address.
    for (const range of [
      ...['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/08', '010.0.0.1', '10.0.1', '256.0.0.1'],
      ...['::1/129', ':::', '1:2', 'fe80::1%eth0', '::ffff:10.0.0.256', '10.0.0.1-9', '*', ''],
    ])
      expect([range, await getFieldErrors(create(sensorProduct, { addresses: [range] }))]).toEqual([
        range,
        { 'addresses.0': '地址范围写作 10.0.0.0/8 或一个 IP 地址' },
      ])
    expect(await getFieldErrors(create({ id: uuidv7() }))).toEqual({
      productId: '所选产品不存在或已被删除',
    })
    expect(await getFieldErrors(create(ownSecretProduct))).toEqual({
      productId: '产品的认证方式是一机一密，设备须逐台登记；自注册请用一型一密的产品',
    })
    expect(await getFieldErrors(create(lampProduct))).toEqual({ mode: '网关子设备只能由网关注册' })
    expect(await getFieldErrors(create(sensorProduct, { mode: 'gateway' }))).toEqual({
      mode: '只有网关子设备由网关注册',
    })
    expect(await getFieldErrors(create(sensorProduct, { projectId: 999_999 }))).toEqual({
      projectId: '所选项目不存在',
    })
  })
})

describe('a registration rule', () => {
  it('returns the product secret once, which can be reset and is in no list', async () => {
    const row = await create(sensorProduct)
    const secret = row.made!.productSecret
    expect(secret).toMatch(/^[0-9a-f]{32}$/)
    expect(await getFieldErrors(create(sensorProduct))).toEqual({
      projectId: '这个产品在该项目已有注册规则',
    })
    const renewedSecret = await admin().call(registrationRuleApi.renewSecret, { id: row.id })
    expect(renewedSecret.productSecret).not.toBe(secret)
    expect(
      await app.app.db
        .select()
        .from(productCredential)
        .where(eq(productCredential.productKey, sensorProduct.productKey)),
    ).toEqual([
      { productKey: sensorProduct.productKey, productSecret: renewedSecret.productSecret },
    ])
    const page = await admin().call(registrationRuleApi.page, { name: 'pkRulesSensor' })
    expect(page).toMatchObject({ total: 1, list: [{ name: 'pkRulesSensor', hasSecret: true }] })
    expect(JSON.stringify(page)).not.toContain(renewedSecret.productSecret)
  })
  it('prevents the deletion of its product, and can be switched and changed', async () => {
    const { list } = await admin().call(registrationRuleApi.page, { name: 'pkRulesSensor' })
    const [row] = list
    await expect(admin().call(productApi.remove, { id: sensorProduct.id })).rejects.toMatchObject({
      data: { references: [{ entity: '注册规则' }] },
    })
    const product = await admin().call(productApi.get, { id: sensorProduct.id })
    const emptyContact = {
      shortName: '',
      creditCode: '',
      contact: '',
      phone: '',
      email: '',
      areaCode: '',
    }
    const otherFields = {
      address: '',
      website: '',
      logo: '',
      remark: '',
      createBy: '',
      updateBy: '',
    }
    const [maker] = await app.app.db
      .insert(manufacturer)
      .values({
        ...emptyContact,
        ...otherFields,
        name: '规则厂商',
        code: 'rules-maker',
        status: 'enabled',
      })
      .returning()
    const productUpdate = { ...product, manufacturerId: maker!.id, modelNo: 'R-1' }
    expect(
      await getFieldErrors(
        admin().call(productApi.update, { ...productUpdate, authType: 'deviceSecret' }),
      ),
    ).toEqual({ authType: '产品有自注册规则，删除规则后才能改为一机一密' })
    const updatedRule = await admin().call(registrationRuleApi.update, { ...row!, quota: 5 })
    expect(updatedRule).toMatchObject({ quota: 5, status: 'enabled' })
    const expiredFields = { expireTime: '2020-01-01T00:00:00Z' }
    expect(
      await getFieldErrors(
        admin().call(registrationRuleApi.update, { ...updatedRule, ...expiredFields }),
      ),
    ).toEqual({
      expireTime: '有效期至须在现在之后',
    })
    const disableInput = { ids: [row!.id], status: 'disabled' as const }
    expect(await admin().call(registrationRuleApi.setStatus, disableInput)).toMatchObject([
      { ok: true },
    ])
    const disabledFilter = { name: 'pkRulesSensor', status: 'disabled' as const }
    expect(await admin().call(registrationRuleApi.page, disabledFilter)).toMatchObject({ total: 1 })
    expect(
      await getFieldErrors(admin().call(registrationRuleApi.update, { ...row!, quota: 6 })),
    ).toBe('这条记录已被别人修改')
    const gatewayRule = await create(lampProduct, { mode: 'gateway' })
    expect(gatewayRule.made).toBeNull()
    expect(
      await admin().call(registrationRuleApi.removeMany, { ids: [gatewayRule.id] }),
    ).toMatchObject([{ ok: true }])
    const recreatedRule = await create(lampProduct, { mode: 'gateway' })
    expect(await admin().call(registrationRuleApi.remove, { id: recreatedRule.id })).toBeNull()
  })
})

describe('rules of one product in several projects', () => {
  const sharedProduct = productRow('pkRulesShared', 'direct')
  beforeAll(() => app.app.db.insert(product).values(sharedProduct))

  it('are limited to one per project, and refused when a device would match two', async () => {
    const firstRule = await create(sharedProduct, { mode: 'free', addresses: ['10.1.0.0/16'] })
    expect(firstRule.made).not.toBeNull()
    const createInSecondProject = (change: object) =>
      getFieldErrors(create(sharedProduct, { mode: 'free', projectId: 2, ...change }))
    const ambiguousError = {
      addresses: '项目“科创园”的免预注册规则也适用于这些地址，设备来时分不清归哪个项目',
    }
    expect(await createInSecondProject({ addresses: ['10.0.0.0/8'] })).toEqual(ambiguousError)
    expect(await createInSecondProject({ addresses: ['192.168.0.0/24', '10.1.2.3'] })).toEqual(
      ambiguousError,
    )
    const secondRule = await create(sharedProduct, {
      mode: 'free',
      projectId: 2,
      addresses: ['10.2.0.0/16'],
    })
    expect(secondRule.made).toBeNull()
    const narrowerUpdate = admin().call(registrationRuleApi.update, {
      ...secondRule,
      addresses: ['10.1.9.0/24'],
    })
    expect(await getFieldErrors(narrowerUpdate)).toEqual(ambiguousError)
    expect(
      await getFieldErrors(
        admin().call(registrationRuleApi.update, { ...secondRule, projectId: 1 }),
      ),
    ).toEqual({ projectId: '这个产品在该项目已有注册规则' })
  })
  it('match by serial first, then by network, then without a network', () => {
    const createRule = (
      projectId: number,
      addresses: string[],
      mode: RegistrationMode = 'free',
    ) => ({
      projectId,
      addresses,
      mode,
    })
    const rules = [
      createRule(1, []),
      createRule(2, ['10.2.0.0/16']),
      createRule(3, [], 'preregistered'),
    ]
    const chooseProject = (address: string, projectId?: number) =>
      chooseRule(rules, address, projectId).projectId
    expect(chooseProject('10.2.3.4')).toBe(2)
    expect(chooseProject('::ffff:10.2.3.4')).toBe(2)
    expect(chooseProject('10.3.0.1')).toBe(1)
    expect(chooseProject('10.2.3.4', 3)).toBe(3)
    expect(chooseProject('10.2.3.4', 1)).toBe(1)
    // A device preregistered in a project without a rule is treated like one that was not preregistered.
    expect(chooseProject('10.2.3.4', 7)).toBe(2)
    expect(chooseRule([createRule(2, ['10.2.0.0/16'])], '10.9.0.1').projectId).toBe(2)
  })
})

describe('import and export of rules', () => {
  const meterProduct = productRow('pkRulesMeter', 'direct')
  const sameNameProducts = ['pkRulesTwin1', 'pkRulesTwin2'].map((key) =>
    productRow(key, 'direct', { name: '同名表' }),
  )
  let farProjectCode = ''
  beforeAll(async () => {
    await app.app.db.insert(product).values([meterProduct, ...sameNameProducts])
    farProjectCode = (await createTestProject(app, '规则远处')).code
  })
  const firstColumns = ['产品', '注册方式', '注册到项目', '设备名称模板', '允许的地址范围']
  const lastColumns = ['有效期至', '剩余名额', '需要审批', '状态']
  const createLine = (product: string, project: string) => [
    ...[product, '免预注册', project, '{deviceName}', '', '', '', '否', ''],
  ]

  it('refuses unknown or invisible references row by row', async () => {
    const task = await admin().runImport(registrationRuleApi.importRows, [
      [...firstColumns, ...lastColumns],
      createLine('没有的', '科创园'),
      createLine('同名表', '科创园'),
      createLine('pkRulesMeter', `${farProjectCode}没有`),
      createLine('pkRulesOwn', '科创园'),
      createLine('pkRulesMeter', '科创园').with(4, '10.0.0.0/8、10.0.0.0/33'),
      createLine('pkRulesMeter', '科创园').with(5, '2020-01-01'),
      createLine('pkRulesMeter', '科创园').with(5, '2099年2月30日'),
      createLine('pkRulesMeter', '科创园').with(1, '网关子设备'),
    ])
    expect(task.failures!.map(({ reason }) => reason)).toEqual([
      '产品“没有的”不存在',
      '有 2 个产品叫“同名表”，请填 ProductKey',
      `项目“${farProjectCode}没有”不存在`,
      '产品的认证方式是一机一密，设备须逐台登记；自注册请用一型一密的产品',
      '允许的地址范围第 2 项：地址范围写作 10.0.0.0/8 或一个 IP 地址',
      '有效期至不能早于今天',
      '有效期至须为日期，如 2027-12-31；留空为长期有效',
      '只有网关子设备由网关注册',
    ])
    expect(task.secrets).toBeNull()
  })
  it('re-imports an export without secrets, and returns a new product secret once', async () => {
    const change = { addresses: ['10.0.0.0/8', '::1'], quota: 5, approval: true, projectId: 1 }
    const expiry = { expireTime: '2099-12-31T15:59:59.999Z' }
    const rule = await create(sameNameProducts[0]!, { ...change, ...expiry })
    const invisibleRule = await create(meterProduct, { projectId: 2 })
    const file = await admin().exportTable(registrationRuleApi.exportRows, { name: 'pkRulesTwin' })
    expect(file).toHaveLength(2)
    expect(file[0]).not.toContain('ProductSecret')
    expect(file.join()).not.toContain(rule.made!.productSecret)
    const importingUser = await app.join('rulesimporter', 'project-admin', [1])
    const ids = [rule.id, invisibleRule.id]
    const visibleRows = await importingUser.exportTable(registrationRuleApi.exportRows, { ids })
    expect(visibleRows.map((cells) => cells[1])).toEqual(['ProductKey', 'pkRulesTwin1'])

    await admin().call(registrationRuleApi.remove, { id: rule.id })
    const secondImport = await admin().runImport(registrationRuleApi.importRows, file)
    expect(secondImport).toMatchObject({ counts: { success: 1, failed: 0 }, secrets: null })
    const { list } = await admin().call(registrationRuleApi.page, { name: 'pkRulesTwin' })
    expect(list).toMatchObject([
      { productKey: 'pkRulesTwin1', ...change, ...expiry, hasSecret: true },
    ])

    const writtenExpiry = '2099年12月31日'
    const otherProductRows = file.map((cells, at) =>
      at ? cells.with(1, 'pkRulesTwin2').with(file[0]!.indexOf('有效期至'), writtenExpiry) : cells,
    )
    expect(await admin().runImport(registrationRuleApi.importRows, otherProductRows)).toMatchObject(
      {
        secrets: { name: '注册规则产品密钥.xlsx' },
      },
    )
  })
})

describe('a reported serial', () => {
  const reportSerial = async (
    deviceName: string,
    change: Partial<Parameters<typeof recordRegistration>[1]> = {},
  ) => {
    await recordRegistration(app.app.db, {
      projectId: 1,
      productKey: lampProduct.productKey,
      deviceName,
      gatewayId: secondGateway.id,
      way: 'found',
      state: 'pending',
      reason: '',
      payload: { deviceName },
      ...change,
    })
    const [row] = await app.app.db
      .select()
      .from(registrationRecord)
      .where(eq(registrationRecord.deviceName, deviceName))
    return row!
  }
  const findDevice = async (deviceName: string) =>
    (await app.app.db.select().from(device).where(eq(device.deviceName, deviceName)))[0]
  /** The state is read right before the approval, like a list that was just loaded. */
  const approve = async (id: string, change: object = {}) => {
    const [row] = await app.app.db
      .select()
      .from(registrationRecord)
      .where(eq(registrationRecord.id, id))
    return admin().call(registrationRecordApi.approve, {
      id,
      projectId: 1,
      state: row!.state,
      name: '大堂灯',
      spaceId: floor,
      ...change,
    })
  }

  it('is invisible to users of another project', async () => {
    const { id } = await reportSerial('rules-foreign')
    const otherProjectAdmin = await app.join('rulesother', 'project-admin', [2])
    const notFoundError = { code: 404, msg: '项目不存在或已被删除' }
    const ids = { ids: [id], projectId: 1 }
    for (const call of [
      () => otherProjectAdmin.call(registrationRecordApi.page, { projectId: 1 }),
      () => otherProjectAdmin.call(registrationRecordApi.exportRows, { projectId: 1 }),
      () =>
        otherProjectAdmin.call(registrationRecordApi.approve, {
          id,
          projectId: 1,
          state: 'pending',
          name: 'x',
          spaceId: null,
        }),
      () => otherProjectAdmin.call(registrationRecordApi.reject, { ...ids, reason: '' }),
      () => otherProjectAdmin.call(registrationRecordApi.removeMany, ids),
    ])
      await expect(call()).rejects.toMatchObject(notFoundError)
    expect(await getFieldErrors(approve(id, { projectId: 2 }))).toBe('注册记录不存在或已被删除')
  })
  it('becomes a device of its gateway in the chosen space, once', async () => {
    const { id } = await reportSerial('rules-new')
    expect(await getFieldErrors(approve(id, { spaceId: uuidv7() }))).toEqual({
      spaceId: '所选位置不存在或已被删除',
    })
    expect(await findDevice('rules-new')).toBeUndefined()
    await approve(id)
    expect(await findDevice('rules-new')).toMatchObject({
      name: '大堂灯',
      state: 'inactive',
      gatewayId: secondGateway.id,
      spaceId: floor,
      floorId: floor,
    })
    const [credential] = await app.app.db
      .select()
      .from(deviceCredential)
      .where(
        and(
          eq(deviceCredential.productKey, lampProduct.productKey),
          eq(deviceCredential.deviceName, 'rules-new'),
        ),
      )
    expect(credential!.deviceSecret).toMatch(/^[0-9a-f]{32}$/)
    expect(await getFieldErrors(approve(id))).toBe('已经注册，不用审批')
    const rejectInput = { ids: [id], projectId: 1, reason: '' }
    expect(await admin().call(registrationRecordApi.reject, rejectInput)).toMatchObject([
      { ok: false, reason: '已经注册，不能拒绝' },
    ])
  })
  it('is exported without its payload', async () => {
    const { id } = await reportSerial('rules-filed', {
      payload: { deviceName: 'rules-filed', sent: 'x' },
    })
    await reportSerial('rules-filed-2')
    const recordQuery = { projectId: 1, deviceName: 'rules-filed' }
    const [headerRow, ...lines] = await admin().exportTable(
      registrationRecordApi.exportRows,
      recordQuery,
    )
    expect(headerRow!.slice(0, 6)).toEqual(['序列号', '产品', 'ProductKey', '网关', '途径', '状态'])
    expect(lines).toHaveLength(2)
    expect(lines.join()).not.toContain('sent')
    const selectionQuery = { projectId: 1, ids: [id] }
    const file = await admin().exportTable(registrationRecordApi.exportRows, selectionQuery)
    expect(file.map((cells) => cells[0])).toEqual(['序列号', 'rules-filed'])
    expect(file[1]!.slice(4, 6)).toEqual(['网关发现', '待审批'])
  })
  it('stays refused with its first message on every attempt until it is approved', async () => {
    const { id } = await reportSerial('rules-refused')
    const rejectInput = { ids: [id], projectId: 1, reason: '不是我们的灯' }
    await admin().call(registrationRecordApi.reject, rejectInput)
    const secondRecord = await reportSerial('rules-refused', { payload: { other: true } })
    expect(secondRecord).toMatchObject({
      state: 'refused',
      reason: '已被拒绝：不是我们的灯',
      decideBy: 'admin',
      count: 2,
      payload: { deviceName: 'rules-refused' },
    })
    await approve(id)
    expect(await findDevice('rules-refused')).toBeDefined()
  })
  it('is neither rejected nor deleted from a list in which it had another state', async () => {
    const { id } = await reportSerial('rules-older')
    const other = await reportSerial('rules-older-2')
    await reportSerial('rules-older', { way: 'topology', state: 'conflict', reason: '冲突' })
    const input = {
      ids: [id, other.id],
      projectId: 1,
      states: { [id]: 'pending' as const, [other.id]: 'pending' as const },
    }
    const reason = '这条记录现在是“冲突”：冲突，请刷新后看过再'
    expect(
      await admin().call(registrationRecordApi.reject, { ...input, reason: '' }),
    ).toMatchObject([{ id, ok: false, reason: `${reason}拒绝` }, { ok: true }])
    expect(await admin().call(registrationRecordApi.removeMany, input)).toMatchObject([
      { id, ok: false, reason: `${reason}删除` },
      { ok: false, reason: expect.stringContaining('请刷新后看过再删除') },
    ])
  })
  it('moves to the gateway that reported it when approved', async () => {
    const { id } = await reportSerial('rules-held', {
      way: 'topology',
      state: 'conflict',
      reason: '冲突',
    })
    const recordQuery = { projectId: 1, deviceName: 'rules-held', state: 'conflict' as const }
    const { list } = await admin().call(registrationRecordApi.page, recordQuery)
    expect(list).toMatchObject([
      { gatewayName: 'rules-edge-2', device: { gatewayName: 'rules-edge-1' } },
    ])
    await approve(id, { name: heldLamp.name, spaceId: null })
    expect(await findDevice('rules-held')).toMatchObject({
      gatewayId: secondGateway.id,
      id: heldLamp.id,
    })
  })
  it('does not become a device of an obsolete product', async () => {
    const { id } = await reportSerial('rules-ended', { productKey: disabledProduct.productKey })
    expect(await getFieldErrors(approve(id))).toBe('产品已停用，不能登记设备')
    expect(await findDevice('rules-ended')).toBeUndefined()
  })
  it('does not use the quota of a rule of another project', async () => {
    const rule = await create(lampProduct, { mode: 'gateway', quota: 0, projectId: 2 })
    const { id } = await reportSerial('rules-own')
    await approve(id)
    expect(await findDevice('rules-own')).toMatchObject({ projectId: 1 })
    await admin().call(registrationRuleApi.remove, { id: rule.id })
  })
  it('uses the quota, and can be deleted', async () => {
    const rule = await create(lampProduct, { mode: 'gateway', quota: 0 })
    const { id } = await reportSerial('rules-full')
    expect(await getFieldErrors(approve(id))).toBe('名额已用完，请先在规则里增加剩余名额')
    expect(await reportSerial('rules-full')).toMatchObject({ state: 'pending' })
    await admin().call(registrationRuleApi.remove, { id: rule.id })
    const removeInput = { ids: [id], projectId: 1 }
    expect(await admin().call(registrationRecordApi.removeMany, removeInput)).toMatchObject([
      { ok: true },
    ])
    const recordQuery = { projectId: 1, deviceName: 'rules-full' }
    expect(await admin().call(registrationRecordApi.page, recordQuery)).toMatchObject({ total: 0 })
  })
})
