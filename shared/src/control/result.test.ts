import type { ControlTask } from '../contract/control/control.schema'
import { formatResult, formatSpokenResult, type Announcement } from './result'

const zeroCounts: ControlTask['counts'] = {
  queued: 0,
  sent: 0,
  delivered: 0,
  success: 0,
  confirmed: 0,
  failed: 0,
  timeout: 0,
  unknown: 0,
  overridden: 0,
  skipped: 0,
  cancelled: 0,
}
const turnOffAnnouncement: Announcement = { kind: 'all_off', name: '大堂' }
const withCounts = (counts: Partial<ControlTask['counts']>) => ({
  counts: { ...zeroCounts, ...counts },
})

it('counts individually chosen lamps', () => {
  const chosenLamps: Announcement = { kind: 'all_off', name: '选中的 4 盏', lamps: 4 }
  expect(formatResult(withCounts({ success: 4 }), chosenLamps)).toBe(
    '选中的 4 盏灯已全部关闭，成功 4 盏',
  )
})

it('names a single lamp', () => {
  const singleLamp: Announcement = { kind: 'all_off', name: 'A座1F-大堂-01', lamps: 1 }
  expect(formatResult(withCounts({ success: 1 }), singleLamp)).toBe('A座1F-大堂-01已关闭')
  expect(formatSpokenResult(withCounts({ success: 1 }), singleLamp)).toBe('A座1F-大堂-01已关闭')
  expect(formatResult(withCounts({ skipped: 1 }), singleLamp)).toBe(
    'A座1F-大堂-01没有完成，跳过 1 盏',
  )
})

it.each([
  [{ success: 27 }, '大堂灯光已全部关闭，成功 27 盏', '大堂灯光已全部关闭'],
  [
    { success: 27, failed: 1, timeout: 1 },
    '大堂灯光已关闭，成功 27 盏，失败 2 盏',
    '大堂灯光已关闭27盏，失败两盏',
  ],
  [{ success: 26, skipped: 2 }, '大堂灯光已关闭，成功 26 盏，跳过 2 盏', '大堂灯光已关闭26盏'],
  [
    { success: 5, cancelled: 22 },
    '大堂灯光已关闭，成功 5 盏，取消 22 盏',
    '大堂灯光已关闭5盏，取消22盏',
  ],
  [{ cancelled: 27 }, '大堂没有完成，成功 0 盏，取消 27 盏', '大堂没有完成，取消27盏'],
  [{ timeout: 2, skipped: 1 }, '大堂：2 盏全部失败', '大堂，两盏全部失败'],
])('describes the result %j exactly', (counts, expectedText, expectedSpeech) => {
  expect(formatResult(withCounts(counts), turnOffAnnouncement)).toBe(expectedText)
  expect(formatSpokenResult(withCounts(counts), turnOffAnnouncement)).toBe(expectedSpeech)
})

it('says what the lamps were set to, in 盏', () => {
  const dimmed: Announcement = {
    kind: 'action',
    name: '大堂亮度调到 30%',
    done: '大堂亮度已调到 30%',
  }
  expect(formatResult({ ...withCounts({ success: 4 }), unit: '盏' }, dimmed)).toBe(
    '大堂亮度已调到 30%，成功 4 盏',
  )
  expect(formatResult({ ...withCounts({ skipped: 4 }), unit: '盏' }, dimmed)).toBe(
    '大堂亮度调到 30%没有完成，成功 0 盏，跳过 4 盏',
  )
})

it('uses the unit of the task and one word for overridden entries', () =>
  expect(
    formatResult({ ...withCounts({ success: 3, overridden: 1 }), unit: '台' }, turnOffAnnouncement),
  ).toBe('大堂灯光已关闭，成功 3 台，被覆盖 1 台'))

it.each([
  [3, 3, '跳过 3 盏（手动保持）'],
  [5, 3, '跳过 5 盏（手动保持 3）'],
])('says how many of the %i skipped lamps are held', (skipped, heldCount, text) =>
  expect(
    formatResult({ ...withCounts({ success: 24, skipped }), held: heldCount }, turnOffAnnouncement),
  ).toBe(`大堂灯光已关闭，成功 24 盏，${text}`),
)
