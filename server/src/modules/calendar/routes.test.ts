import { calendarApi, holidayApi } from '@iot/shared/contract/project/calendar.api'
import type { Input, Output } from '@iot/shared/contract/endpoint'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { sharedApp, type TestApp } from '../../testing'
import { getImportChanges } from './importYear'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})
const admin = () => app.as('admin')
const draft = (name: string, change = {}): Input<typeof calendarApi.create> => ({
  name,
  code: `c-${Buffer.from(name).toString('hex').slice(0, 40)}`,
  parentId: null,
  weekendMode: 'double',
  alternateFrom: null,
  description: '',
  ...change,
})
const createCalendar = (name: string, change = {}) =>
  admin().call(calendarApi.create, draft(name, change))
const findStandardCalendar = async () =>
  (await admin().call(calendarApi.page, {})).list.find(({ code }) => code === 'standard')!
const getDay = async (id: string, date: string) => {
  const { days } = await admin().call(holidayApi.year, { id, year: date.slice(0, 4) })
  return days.find((day) => day.date === date)!
}
type SetInput = Partial<Input<typeof holidayApi.set>>
const setDays = (id: string, date: string, change: SetInput = {}) =>
  admin().call(holidayApi.set, {
    id,
    from: date,
    to: date,
    type: 'custom',
    name: '停工',
    isOff: true,
    seen: {},
    ...change,
  })
/** Previews a year and imports what the preview shows. */
async function importYear(id: string, year = 2026) {
  const preview = await admin().call(holidayApi.preview, { id, year })
  return admin().call(holidayApi.importYear, { id, year, seen: toSeenVersions(preview) })
}
const toSeenVersions = (preview: Output<typeof holidayApi.preview>) =>
  Object.fromEntries(preview.map(({ date, version }) => [date, version]))
const getFieldErrors = (work: Promise<unknown>) => work.catch(({ data }) => data.fields)

test('a calendar with a wrong field is refused at that field', async () => {
  const missingId = '018f0000-0000-7000-8000-000000000000'
  const parentMissing = { parentId: '上级不存在或已被删除' }
  expect(await getFieldErrors(createCalendar('甲', { parentId: missingId }))).toEqual(parentMissing)
  const alternateMissing = { alternateFrom: '请选择双休的一周中的任意一天' }
  expect(await getFieldErrors(createCalendar('甲', { weekendMode: 'alternate' }))).toEqual(
    alternateMissing,
  )
  expect(await getFieldErrors(createCalendar('标准日历'))).toEqual({
    name: '日历名称“标准日历”已存在',
  })
})

test('a calendar cannot inherit from itself, and an inherited or built-in one cannot be deleted', async () => {
  const parent = await createCalendar('总部')
  const child = await createCalendar('分部', { parentId: parent.id })
  const cyclicUpdate = admin().call(calendarApi.update, { ...parent, parentId: child.id })
  expect(await getFieldErrors(cyclicUpdate)).toEqual({ parentId: '不能移到自己的下级' })
  await expect(admin().call(calendarApi.remove, { id: parent.id })).rejects.toMatchObject({
    code: 1003,
  })
  const builtin = admin().call(calendarApi.remove, { id: (await findStandardCalendar()).id })
  await expect(builtin).rejects.toMatchObject({ code: 1001, msg: '内置日历不能删除' })
})

describe('PUT /v1/calendar/{id}', () => {
  it('refuses without the permission, another code or owner, and an outdated version', async () => {
    const calendar = await createCalendar('改之前')
    const reader = await app.join('calendarreader', 'visitor', [1])
    await expect(reader.call(calendarApi.update, calendar)).rejects.toMatchObject({ status: 403 })
    const update = (change: object) => admin().call(calendarApi.update, { ...calendar, ...change })
    expect(await getFieldErrors(update({ code: 'other' }))).toEqual({
      code: '日历编码创建后不能修改',
    })
    expect(await getFieldErrors(update({ projectId: 1 }))).toEqual({
      projectId: '所属项目创建后不能修改',
    })
    expect(await getFieldErrors(update({ name: '标准日历' }))).toEqual({
      name: '日历名称“标准日历”已存在',
    })
    await expect(update({ version: 0 })).rejects.toMatchObject({
      code: 1002,
      data: { current: { name: '改之前', version: 1 } },
    })
  })
  it('changes the days that the week decides, and the inherited ones with the parent', async () => {
    const calendar = await createCalendar('改之后')
    expect(await getDay(calendar.id, '2026-10-17')).toMatchObject({ type: 'weekend' })
    const singleDayOff = await admin().call(calendarApi.update, {
      ...calendar,
      name: '单休日历',
      weekendMode: 'single',
    })
    expect(singleDayOff).toMatchObject({ name: '单休日历', weekendMode: 'single', version: 2 })
    expect(await getDay(calendar.id, '2026-10-17')).toMatchObject({ type: 'workday' })
    expect(await getDay(calendar.id, '2026-10-01')).toMatchObject({ source: 'week' })
    const parentId = (await findStandardCalendar()).id
    await admin().call(calendarApi.update, { ...singleDayOff, parentId })
    expect(await getDay(calendar.id, '2026-10-01')).toMatchObject({ inheritedFrom: '标准日历' })
  })
})

test('dates out of order, beyond a year, or changed by another user meanwhile are refused', async () => {
  const { id } = await createCalendar('拒绝')
  const orderError = { to: '结束日期不能早于开始日期，最多 366 天' }
  expect(await getFieldErrors(setDays(id, '2026-03-02', { to: '2026-03-01' }))).toEqual(orderError)
  expect(await getFieldErrors(setDays(id, '2026-03-02', { to: '2028-03-01' }))).toEqual(orderError)
  await setDays(id, '2026-03-02')
  const conflictingCall = setDays(id, '2026-03-01', { to: '2026-03-03', type: 'workday' })
  await expect(conflictingCall).rejects.toMatchObject({
    msg: '2026-03-02 自定义 停工刚由 平台管理员 设置，请看过再改',
  })
  expect(await getDay(id, '2026-03-02')).toMatchObject({ type: 'custom', isOff: true, version: 1 })
})

test('clearing a date is refused when it was changed since it was read', async () => {
  const { id } = await createCalendar('恢复')
  await setDays(id, '2026-03-02')
  await setDays(id, '2026-03-02', { name: '检修', seen: { '2026-03-02': 1 } })
  await expect(
    admin().call(holidayApi.clear, { id, seen: { '2026-03-02': 1 } }),
  ).rejects.toMatchObject({ msg: '2026-03-02 自定义 检修刚由 平台管理员 设置，请看过再改' })
  await admin().call(holidayApi.clear, { id, seen: { '2026-03-02': 2 } })
  expect(await getDay(id, '2026-03-02')).toMatchObject({ source: 'week' })
})

test('the built-in calendar contains the published holidays', async () => {
  const { id } = await findStandardCalendar()
  const days = ['2026-10-01', '2026-10-06', '2026-10-10', '2026-10-17', '2026-10-19']
  const types = await Promise.all(days.map(async (date) => (await getDay(id, date)).type))
  expect(types).toEqual(['statutory', 'lieu', 'makeup', 'weekend', 'workday'])
  expect(await getDay(id, '2026-10-10')).toMatchObject({ name: '国庆节调休', isOff: false })
  const farYear = await admin().call(holidayApi.year, { id, year: 2099 })
  expect(farYear).toMatchObject({ published: false, missing: 0 })
  expect(farYear.days).toHaveLength(365)
  expect(new Set(farYear.days.map(({ source }) => source))).toEqual(new Set(['week']))
})

test('own dates override inherited dates, and both override the week', async () => {
  const childCalendar = await createCalendar('工厂', {
    parentId: (await findStandardCalendar()).id,
    weekendMode: 'single',
  })
  expect(await getDay(childCalendar.id, '2026-10-01')).toMatchObject({
    type: 'statutory',
    inheritedFrom: '标准日历',
    version: 0,
  })
  expect(await getDay(childCalendar.id, '2026-10-17')).toMatchObject({
    type: 'workday',
    source: 'week',
  })
  await setDays(childCalendar.id, '2026-10-01', { type: 'workday', name: '赶工', isOff: true })
  const ownDay = {
    type: 'workday',
    isOff: false,
    inheritedFrom: null,
    source: 'manual',
    version: 1,
  }
  expect(await getDay(childCalendar.id, '2026-10-01')).toMatchObject(ownDay)
  await admin().call(holidayApi.clear, { id: childCalendar.id, seen: { '2026-10-01': 1 } })
  expect(await getDay(childCalendar.id, '2026-10-01')).toMatchObject({ inheritedFrom: '标准日历' })
})

test('an import previews its changes, keeps manual dates, and changes nothing the second time', async () => {
  const { id } = await createCalendar('导入')
  await setDays(id, '2026-10-01', { type: 'workday', name: '值守' })
  const preview = await admin().call(holidayApi.preview, { id, year: 2026 })
  expect(preview.filter(({ isKept }) => isKept)).toEqual([
    {
      date: '2026-10-01',
      isKept: true,
      before: { type: 'workday', name: '值守' },
      after: { type: 'statutory', name: '国庆节' },
      version: 1,
    },
  ])
  expect(await importYear(id)).toEqual({ changed: preview.length - 1, kept: 1, refused: [] })
  expect(await getDay(id, '2026-10-01')).toMatchObject({ type: 'workday', source: 'manual' })
  expect(await getDay(id, '2026-01-04')).toMatchObject({ type: 'makeup', source: 'imported' })
  expect(await importYear(id)).toEqual({ changed: 0, kept: 1, refused: [] })
  await expect(importYear(id, 2099)).rejects.toMatchObject({
    msg: '本版本没有 2099 年的放假安排',
  })
})

test('an import leaves a day that a colleague changed since the preview, names it, and stores the others', async () => {
  const { id } = await createCalendar('预览后')
  await importYear(id)
  const day = { type: 'custom' as const, name: '厂庆', isOff: true }
  const dates = ['2026-10-01', '2026-10-02', '2026-10-03', '2026-03-03', '2026-03-04']
  const days = dates.map((date) => ({ date, ...day }))
  const preview = await admin().call(holidayApi.previewFile, { id, days })
  expect(preview.map(({ version }) => version).sort()).toEqual([0, 0, 1, 1, 1])
  // A day is changed by hand and back to the notice, one is cleared, and one is new.
  await setDays(id, '2026-10-01', { name: '值守', seen: { '2026-10-01': 1 } })
  await admin().call(holidayApi.clear, { id, seen: { '2026-10-02': 1 } })
  await setDays(id, '2026-03-03', { name: '检修' })
  const seenVersions = toSeenVersions(preview)
  const answer = await admin().call(holidayApi.importFile, { id, days, seen: seenVersions })
  const { updateBy } = await getDay(id, '2026-03-03')
  expect(answer).toEqual({
    changed: 2,
    kept: 0,
    refused: [
      {
        date: '2026-03-03',
        reason: `预览以后由 ${updateBy} 设置为自定义 检修，请看过再导入`,
      },
      {
        date: '2026-10-01',
        reason: `预览以后由 ${updateBy} 设置为自定义 值守，请看过再导入`,
      },
      { date: '2026-10-02', reason: '预览以后被人恢复，请看过再导入' },
    ],
  })
  const storedDays = await Promise.all([...dates].sort().map((date) => getDay(id, date)))
  expect(storedDays.map(({ name }) => name)).toEqual(['检修', '厂庆', '值守', '', '厂庆'])
})

describe('days of a file', () => {
  const day = { type: 'custom' as const, name: '厂庆', isOff: true }

  test('are refused without days, with a date twice or none at all, and in a calendar of others', async () => {
    const { id } = await createCalendar('文件拒绝')
    const refuse = async (days: Input<typeof holidayApi.importFile>['days']) =>
      getFieldErrors(admin().call(holidayApi.importFile, { id, days, seen: {} }))
    expect(await refuse([])).toEqual({ days: '文件里没有日期' })
    expect(
      await refuse([
        { date: '2027-05-04', ...day },
        { date: '2027-05-04', ...day, name: '再一次' },
      ]),
    ).toEqual({ days: '同一日期在文件里出现了两次' })
    expect(await refuse([{ date: '2027-02-30', ...day }])).toEqual({ 'days.0.date': '请选择日期' })
    const owner = await app.join('file-owner', 'project-admin', [1])
    const input = { id, days: [{ date: '2027-05-04', ...day }], seen: {} }
    await expect(owner.call(holidayApi.importFile, input)).rejects.toMatchObject({ status: 403 })
  })

  test('are compared, stored apart from manual ones, and outlast an import of public holidays', async () => {
    const { id } = await createCalendar('文件')
    await setDays(id, '2026-05-05')
    await setDays(id, '2026-05-06', { name: '别动' })
    const days = [
      { date: '2026-03-03', ...day },
      { date: '2026-05-05', ...day },
      { date: '2027-10-01', type: 'statutory' as const, name: '国庆节', isOff: true },
    ]
    const preview = await admin().call(holidayApi.previewFile, { id, days })
    expect(preview.map(({ date, isKept }) => [date, isKept])).toEqual([
      ['2026-03-03', false],
      ['2026-05-05', true],
      ['2027-10-01', false],
    ])
    expect(await getDay(id, '2026-03-03')).toMatchObject({ source: 'week' })
    const seenVersions = toSeenVersions(preview)
    const counts = await admin().call(holidayApi.importFile, { id, days, seen: seenVersions })
    expect(counts).toEqual({ changed: 2, kept: 1, refused: [] })
    expect(await getDay(id, '2026-05-05')).toMatchObject({ name: '停工' })
    expect(await getDay(id, '2027-10-01')).toMatchObject({ type: 'statutory', isOff: true })
    await importYear(id)
    expect(await getDay(id, '2026-03-03')).toMatchObject({ name: '厂庆', source: 'imported' })
    expect(await getDay(id, '2026-05-06')).toMatchObject({ name: '别动' })
    const corrected = [{ date: '2026-03-03', ...day, isOff: false }]
    const correction = { id, days: corrected, seen: { '2026-03-03': 1 } }
    expect(await admin().call(holidayApi.importFile, correction)).toEqual({
      changed: 1,
      kept: 0,
      refused: [],
    })
    expect(await getDay(id, '2026-03-03')).toMatchObject({ isOff: false })
  })
})

test('a re-import removes dates of its year that are no longer in the notice, and no others', () => {
  const importedDay = {
    type: 'lieu',
    name: '旧',
    isOff: true,
    source: 'imported',
    version: 1,
  } as const
  const ownDays = [
    { date: '2026-03-03', ...importedDay },
    { date: '2027-01-05', ...importedDay },
  ]
  const changes = getImportChanges(ownDays, 2026)
  const removals = changes.filter(({ after }) => !after)
  expect(removals.map(({ date }) => date)).toEqual(['2026-03-03'])
})

describe('a calendar of one project', () => {
  const joinOwner = () => enrolOwner('calendar-owner', 1)
  const joinStranger = () => enrolOwner('calendar-stranger', 2)
  const enrolOwner = (name: string, projectId: number) =>
    app.join(name, 'project-admin', [projectId])
  const expectForbidden = (work: Promise<unknown>) =>
    expect(work).rejects.toMatchObject({
      status: 403,
      msg: expect.stringContaining('由平台统一管理'),
    })

  test('can read but not change a shared calendar with access to one project', async () => {
    const user = await joinOwner()
    const sharedCalendar = await createCalendar('共用日历')
    await setDays(sharedCalendar.id, '2026-04-02')
    const { days } = await user.call(holidayApi.year, { id: sharedCalendar.id, year: '2026' })
    expect(days.find(({ date }) => date === '2026-04-02')).toMatchObject({ name: '停工' })
    const day = { from: '2026-04-03', to: '2026-04-03', type: 'custom' as const, name: '停工' }
    await expectForbidden(
      user.call(holidayApi.set, { id: sharedCalendar.id, ...day, isOff: true, seen: {} }),
    )
    await expectForbidden(
      user.call(holidayApi.clear, { id: sharedCalendar.id, seen: { '2026-04-02': 1 } }),
    )
    await expectForbidden(
      user.call(holidayApi.importYear, { id: sharedCalendar.id, year: '2026', seen: {} }),
    )
    await expectForbidden(user.call(calendarApi.update, { ...sharedCalendar, name: '改名' }))
    await expectForbidden(user.call(calendarApi.remove, { id: sharedCalendar.id }))
    const field =
      '全部项目共用的日历由平台统一管理，只有数据范围为“全部项目”的用户可以更改，请选择项目'
    expect(await getFieldErrors(user.call(calendarApi.create, draft('甲方')))).toEqual({
      projectId: field,
    })
    expect(await getDay(sharedCalendar.id, '2026-04-03')).toMatchObject({ source: 'week' })
  })

  test('can be created and changed, and is invisible to other projects', async () => {
    const [user, other] = [await joinOwner(), await joinStranger()]
    const ownCalendar = await user.call(calendarApi.create, draft('厂历', { projectId: 1 }))
    expect(ownCalendar).toMatchObject({ projectId: 1 })
    const day = { from: '2026-04-03', to: '2026-04-03', type: 'custom' as const, name: '厂庆' }
    await user.call(holidayApi.set, { id: ownCalendar.id, ...day, isOff: true, seen: {} })
    const list = await other.call(calendarApi.list, {})
    expect(list.map(({ id }) => id)).not.toContain(ownCalendar.id)
    expect((await other.call(calendarApi.page, {})).list.map(({ id }) => id)).not.toContain(
      ownCalendar.id,
    )
    for (const call of [
      other.call(holidayApi.year, { id: ownCalendar.id, year: '2026' }),
      other.call(holidayApi.preview, { id: ownCalendar.id, year: '2026' }),
      other.call(sceneApi.effects, { id: ownCalendar.id }),
      other.call(calendarApi.remove, { id: ownCalendar.id }),
      other.call(calendarApi.update, ownCalendar),
    ])
      await expect(call).rejects.toMatchObject({ code: 404 })
    expect(
      await getFieldErrors(other.call(calendarApi.create, draft('乙', { projectId: 1 }))),
    ).toEqual({
      projectId: '所选项目不存在',
    })
    // A calendar name is unique within its project, a code over all projects.
    const sameNameDraft = draft('厂历', { projectId: 2, code: 'same-name' })
    expect(await other.call(calendarApi.create, sameNameDraft)).toMatchObject({
      name: '厂历',
      projectId: 2,
    })
    expect(
      await getFieldErrors(
        user.call(calendarApi.create, draft('厂历', { projectId: 1, code: 'again' })),
      ),
    ).toEqual({ name: '日历名称“厂历”已存在' })
    const childDraft = draft('乙历', { projectId: 2, parentId: ownCalendar.id })
    expect(await getFieldErrors(other.call(calendarApi.create, childDraft))).toEqual({
      parentId: '上级不存在或已被删除',
    })
    expect(
      await getFieldErrors(user.call(calendarApi.update, { ...ownCalendar, projectId: null })),
    ).toEqual({
      projectId: '所属项目创建后不能修改',
    })
    const { list: projects } = await admin().call(managedProjectApi.page, { pageSize: 999 })
    const [firstProject, secondProject] = [1, 2].map((id) =>
      projects.find(({ projectId }) => projectId === id)!,
    )
    expect(
      await getFieldErrors(
        admin().call(managedProjectApi.update, { ...secondProject!, calendarId: ownCalendar.id }),
      ),
    ).toEqual({ calendarId: '所选日历不存在或已被删除' })
    const { calendarId } = firstProject!
    const updatedProject = await user.call(managedProjectApi.update, {
      ...firstProject!,
      calendarId: ownCalendar.id,
    })
    expect(updatedProject.calendarId).toBe(ownCalendar.id)
    await admin().call(managedProjectApi.update, { ...updatedProject, calendarId })
    await user.call(calendarApi.remove, { id: ownCalendar.id })
  })
})
