import { expect, test } from './fixtures'
import { createSender, createUniqueName, getField, saveDialog } from './listHelpers'

// On 2027-03-14 the clock of New York skips the hour from 02:00, which Shanghai has.
test.use({ timezoneId: 'America/New_York' })

test('shows, keeps and reads a time that the summer time of the browser skips', async ({
  newcomer: page,
  api,
}) => {
  const send = createSender(api)
  const startTime = '2027-03-13T18:30:00.000Z'
  const endTime = '2027-03-13T20:30:00.000Z'
  const name = createUniqueName('换灯')
  const draft = { name, projectId: 1, spaceId: null, startTime, endTime, weekdays: [] }
  const { id } = await send<{ id: string }>('post', '/v1/maintenance-window', {
    ...draft,
    fromClock: '',
    toClock: '',
  })
  const readStart = async () => {
    const { list } = await send<{ list: { id: string; name: string; startTime: string }[] }>(
      'post',
      '/v1/maintenance-window/page',
      { pageSize: 100 },
    )
    const row = list.find((window) => window.id === id)!
    return [row.name, row.startTime]
  }
  await page.goto('/system/alarm/rule?tab=windows')
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('2027-03-14 02:30')

  await row.getByRole('button', { name: '编辑' }).click()
  await expect(getField(page, '开始')).toHaveValue('2027-03-14 02:30')
  await getField(page, '名称').fill(`${name}二`)
  await saveDialog(page)
  expect(await readStart()).toEqual([`${name}二`, startTime])

  await row.getByRole('button', { name: '编辑' }).click()
  await getField(page, '开始').fill('2027-03-14 02:45')
  // The typed time is kept without a press of 确定.
  await saveDialog(page)
  expect(await readStart()).toEqual([`${name}二`, '2027-03-13T18:45:00.000Z'])
  await expect(row).toContainText('2027-03-14 02:45')
})
