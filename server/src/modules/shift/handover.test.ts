import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { hourMs } from '@iot/shared/contract/duration'
import { findShift } from '@iot/shared/contract/control/handover'
import { handoverApi } from '@iot/shared/contract/control/handover.api'
import { uuidv7 } from 'uuidv7'
import { manualOverride } from '../../tables/control'
import { shiftHandover, shiftSetting } from '../../tables/handover'
import { space } from '../../tables/space'
import { sharedApp, type TestApp } from '../../testing'

let app: TestApp
const roomId = uuidv7()
beforeAll(async () => {
  app = await sharedApp()
  await app.app.db
    .insert(space)
    .values({ id: roomId, projectId: 1, parentId: null, type: 'area', name: '交班室', sort: 1 })
})
beforeEach(async () => {
  await app.app.db.delete(shiftHandover)
  await app.app.db.delete(shiftSetting)
  await app.app.db.delete(manualOverride)
})

const joinDay = () => app.join('dayShift', 'operator', [1])
const joinNight = () => app.join('nightShift', 'operator', [1])
const joinElsewhere = () => app.join('shiftElsewhere', 'operator', [2])
const joinVisitor = () => app.join('shiftVisitor', 'visitor', [1])
const readGivenTime = async () => {
  const [latest] = (await app.as('admin').call(handoverApi.state, { projectId: 1 })).list
  return latest && latest.takenTime === null ? latest.givenTime : null
}
const give = async (note: string, joinUser = joinDay, readTime?: string | null) => {
  const seenGivenTime = readTime === undefined ? await readGivenTime() : readTime
  return (await joinUser()).call(handoverApi.give, { projectId: 1, note, seenGivenTime })
}
const take = async (handoverId: string, joinUser = joinNight, readTime?: string) => {
  const [waiting] = (await readState()).list
  const givenTime = readTime ?? waiting?.givenTime ?? new Date().toISOString()
  return (await joinUser()).call(handoverApi.take, { projectId: 1, handoverId, givenTime })
}
const readState = async (joinUser = joinNight) =>
  (await joinUser()).call(handoverApi.state, { projectId: 1 })

describe('handing over a shift', () => {
  it('is refused without the permission and in another project', async () => {
    await expect(give('', joinVisitor)).rejects.toMatchObject({ status: 403 })
    await expect(give('', joinElsewhere)).rejects.toMatchObject({ code: 404 })
    await expect(readState(joinElsewhere)).rejects.toMatchObject({ code: 404 })
    await expect(take(uuidv7())).rejects.toMatchObject({ msg: '交班不存在或已被删除' })
  })
  it('is refused while another person waits for the confirmation, and is replaced by the same person', async () => {
    await give('三层在施工')
    await expect(give('', joinNight)).rejects.toMatchObject({
      msg: 'dayShift 的交班还没有接班确认',
    })
    await give('三层施工完了')
    expect((await readState()).list).toMatchObject([{ note: '三层施工完了', takenTime: null }])
  })
  it('is confirmed by somebody else, once, and shows both names and what was held', async () => {
    const until = new Date(Date.now() + hourMs).toISOString()
    await app.app.db
      .insert(manualOverride)
      .values({ projectId: 1, spaceId: roomId, until, reason: '会议', createBy: 'dayShift' })
    await give('看着三层')
    const { id } = (await readState()).list[0]!
    await expect(take(id, joinDay)).rejects.toMatchObject({ msg: '接班人须是另一位同事' })
    await take(id)
    await expect(take(id, joinDay)).rejects.toMatchObject({ msg: 'nightShift 已接班' })
    expect((await readState()).list).toMatchObject([
      {
        note: '看着三层',
        givenByName: 'dayShift',
        takenByName: 'nightShift',
        takenTime: expect.any(String),
        overrides: [{ place: '交班室', reason: '会议', createByName: 'dayShift' }],
      },
    ])
    const log = await app.as('admin').call(actionLogApi.page, { entity: '交接班', pageSize: 2 })
    expect(log.list).toMatchObject([
      { username: 'nightShift', entityName: '接班确认' },
      { username: 'dayShift', entityName: '交班' },
    ])
  })
})

it('is not replaced by the text of another tab that has not seen it', async () => {
  const otherNote = { msg: '您的交班说明刚在别处更新，或已有人接班，请看过再交班' }
  await give('三层在施工', joinDay, null)
  await expect(give('四层断电', joinDay, null)).rejects.toMatchObject(otherNote)
  const readTime = await readGivenTime()
  await give('三层施工完了', joinDay, readTime)
  await expect(give('三层在施工，四层断电', joinDay, readTime)).rejects.toMatchObject(otherNote)
  const { list } = await readState()
  expect(list).toMatchObject([{ note: '三层施工完了', takenTime: null }])
  await take(list[0]!.id)
  await expect(give('又一次', joinDay, list[0]!.givenTime)).rejects.toMatchObject(otherNote)
})

it('is not confirmed with a note that was replaced after it was read', async () => {
  await give('三层在施工')
  const { id, givenTime } = (await readState()).list[0]!
  await give('三层施工完了，四层断电')
  await expect(take(id, joinNight, givenTime)).rejects.toMatchObject({
    msg: 'dayShift 刚更新了交班说明，请看过再接班',
  })
  await take(id)
})

const setShifts = async (starts: string[], readVersion?: number) =>
  app.as('admin').call(handoverApi.setShifts, {
    projectId: 1,
    version: readVersion ?? (await readState()).shifts.version,
    starts,
  })

describe('the shifts of a project', () => {
  it.each([
    [['8:00'], '时间格式为 08:00'],
    [[], '请至少设一个班次'],
    [['08:00', '08:00'], '班次开始时间不能重复'],
  ])('are refused as %j', async (starts, reason) => {
    const error = await setShifts(starts).catch((refusal: unknown) => refusal)
    expect(JSON.stringify(error)).toContain(reason)
    await expect(
      (await joinDay()).call(handoverApi.setShifts, {
        projectId: 1,
        version: 1,
        starts: ['08:00'],
      }),
    ).rejects.toMatchObject({ status: 403 })
  })
  it('are those of the project, or 08:00 and 20:00', async () => {
    expect((await readState()).shifts.starts).toEqual(['08:00', '20:00'])
    await setShifts(['23:00', '07:00'])
    const { shifts, shift } = await readState()
    expect(shifts.starts).toEqual(['07:00', '23:00'])
    expect([8 * hourMs, 16 * hourMs]).toContain(Date.parse(shift.end) - Date.parse(shift.start))
  })
  it('are not replaced by a writer who has read older ones', async () => {
    const { version } = (await readState()).shifts
    await setShifts(['07:00'], version)
    await expect(setShifts(['09:00'], version)).rejects.toMatchObject({
      code: 1002,
      data: { current: { starts: ['07:00'], version: version + 1, updateBy: '平台管理员' } },
    })
    expect((await readState()).shifts).toMatchObject({ starts: ['07:00'], version: version + 1 })
  })
  it.each([
    ['2026-11-27T07:59:00+08:00', '2026-11-26T20:00:00+08:00', '2026-11-27T08:00:00+08:00'],
    ['2026-11-27T08:00:00+08:00', '2026-11-27T08:00:00+08:00', '2026-11-27T20:00:00+08:00'],
    ['2026-11-27T23:00:00+08:00', '2026-11-27T20:00:00+08:00', '2026-11-28T08:00:00+08:00'],
  ])('at %s is the one from %s to %s', (time, start, end) =>
    expect(findShift(['08:00', '20:00'], Date.parse(time), 'Asia/Shanghai')).toEqual({
      startMs: Date.parse(start),
      endMs: Date.parse(end),
    }),
  )
})
