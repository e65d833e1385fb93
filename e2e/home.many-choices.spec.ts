import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { lamp } from './lamp'
import { unique } from './lists'
import { picture } from './pictures'
import { poster, project } from './projects'

const longName =
  '东侧裙楼与连廊之间的设备夹层（含空调机房、配电间、弱电间与消防水泵房以及屋顶花园检修通道和电梯机房联系廊道区域）第一分区备用'
const widths = [1280, 853, 390]

/** Creates a project with more buildings, floors, views and scenes than fit into one row. */
async function crowdedProject(api: APIRequestContext) {
  const post = poster(api)
  const name = `华南区滨江总部综合开发项目二期东地块超高层写字楼 ${unique('塔')}`
  const { projectId } = await post('/v1/project', project({ name, type: 'office' }))
  const space = (parentId: string | null, type: string, name: string) =>
    post('/v1/space', { projectId, parentId, type, name })
  const tower = await space(null, 'building', '塔楼')
  for (let n = 1; n <= 40; n++) await space(tower.id, 'floor', n === 38 ? longName : `${n} 层`)
  for (let n = 2; n <= 30; n++) await space(null, 'building', `${n} 号楼`)
  const last = await space(tower.id, 'floor', '屋顶层')
  const { close } = await lamp(api, { projectId, spaceId: last.id })
  for (let n = 1; n <= 60; n++)
    await post('/v1/scene', {
      projectId,
      name: n === 2 ? longName : `场景 ${n}`,
      icon: 'BulbOutlined',
      sort: n,
      status: 'enabled',
      order: 'parallel',
      triggers: [],
      calendarId: null,
      dayMode: 'ignore',
      dayTypes: [],
      silenceMinutes: 0,
      quietFrom: null,
      quietTo: null,
      actions: [
        {
          productType: 'SAFEWAY_LIGHT',
          scope: { kind: 'project' },
          values: { PowerSwitch: 0 },
          delay: 0,
        },
      ],
    })
  const views: string[] = []
  for (let n = 1; n <= 30; n++) {
    const view = await post('/v1/view', {
      parentId: null,
      name: n === 3 ? longName : `视图 ${n}`,
      path: unique('v'),
      icon: '',
      roleIds: [],
      projectIds: [projectId],
      visible: true,
      isDefault: false,
      sort: n,
      status: 'enabled',
    })
    views.push(view.id)
  }
  return { projectId, name, views, lastId: last.id, close }
}

/** Returns elements that cover the middle of a visible control without belonging to it. */
const coveredControls = (page: Page) =>
  page.evaluate(() => {
    const isCut = (element: Element, x: number, y: number) => {
      for (let at = element.parentElement; at; at = at.parentElement) {
        if (getComputedStyle(at).overflow === 'visible') continue
        const { left, right, top, bottom } = at.getBoundingClientRect()
        if (x < left || x > right || y < top || y > bottom) return true
      }
      return x < 0 || y < 0 || x > innerWidth || y > innerHeight
    }
    return [...document.querySelectorAll('main button, main a, main label')].flatMap((control) => {
      const { left, top, width, height } = control.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      if (width === 0 || isCut(control, x, y)) return []
      const hit = document.elementFromPoint(x, y)
      const isHit = hit && (control.contains(hit) || hit.contains(control))
      return isHit ? [] : [`${control.textContent} ← ${hit?.textContent?.slice(0, 40)}`]
    })
  })

const isInSight = (control: Locator, row: Locator) =>
  expect(async () => {
    const [of, within] = [await control.boundingBox(), await row.boundingBox()]
    expect(of && within && of.x >= within.x - 1).toBe(true)
    expect(of!.x).toBeLessThan(within!.x + within!.width)
  }).toPass()
const row = (page: Page, name: string) => page.getByRole('radiogroup', { name })
/** A radio button is rendered by the label around it. */
const choice = (page: Page, of: string, name: string) =>
  row(page, of).locator('label').filter({ hasText: name })

let made: Awaited<ReturnType<typeof crowdedProject>>
test.beforeAll(async ({ session }) => {
  made = await crowdedProject(session.api)
})
// Every project shows the same views, so they are removed for other tests.
test.afterAll(async ({ session }) => {
  made.close()
  for (const id of made.views) await session.api.delete(`/v1/view/${id}`)
})
test.beforeEach(async ({ newcomer: page }) => {
  await page.addInitScript(
    (id) => localStorage.setItem('currentProjectId', String(id)),
    made.projectId,
  )
})

test('keeps 41 floors, 30 buildings, 60 scenes and 30 views from covering each other', async ({
  newcomer: page,
}) => {
  const covered: string[] = []
  for (const [what, path] of [
    ['floor', paths.home({ scope: made.lastId })],
    ['project', paths.home({ scope: 'project' })],
  ] as const) {
    await visit(page, path)
    await expect(page.getByRole('radiogroup', { name: '楼栋' })).toBeVisible()
    await expect(page.getByRole('button', { name: /场景 1 / }).first()).toBeVisible()
    await picture(page, `many choices ${what}`, 'light')
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      covered.push(...(await coveredControls(page)).map((one) => `${what} ${width}: ${one}`))
      const isWide = await page.evaluate(() => {
        const main = document.querySelector('main')!
        return main.scrollWidth > main.clientWidth
      })
      expect([width, isWide]).toEqual([width, false])
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  expect(covered).toEqual([])
})

test('keeps the chosen floor and view in sight, and finds others by a word', async ({
  newcomer: page,
}) => {
  await visit(page, paths.home({ scope: made.lastId }))
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await isInSight(choice(page, '楼层', '屋顶层'), row(page, '楼层').locator('..'))
    await isInSight(choice(page, '楼栋', '塔楼'), row(page, '楼栋').locator('..'))
  }
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('combobox', { name: '查找楼层' }).fill('备用　夹层')
  await page.getByTitle(longName).last().click()
  await expect(row(page, '楼层').getByRole('radio', { name: longName })).toBeChecked()
  await isInSight(choice(page, '楼层', longName), row(page, '楼层').locator('..'))

  await page.getByRole('combobox', { name: '查找楼栋' }).fill('２９')
  await page.getByTitle('29 号楼').last().click()
  await expect(row(page, '楼栋').getByRole('radio', { name: '29 号楼' })).toBeChecked()
  await isInSight(choice(page, '楼栋', '29 号楼'), row(page, '楼栋').locator('..'))

  await page.getByRole('textbox', { name: '查找场景' }).fill('场景 47')
  await expect(page.getByRole('list', { name: '场景' }).getByRole('listitem')).toHaveCount(1)

  await page.getByRole('combobox', { name: '查找视图' }).fill('视图 30')
  await page.getByTitle('视图 30').last().click()
  await isInSight(choice(page, '视图', '视图 30'), row(page, '视图').locator('..'))
})

test('shows on the wall the floor of the moment and what is wrong, also of 41 floors', async ({
  newcomer: page,
}) => {
  const wall = page.getByRole('dialog', { name: '大屏' })
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
  ] as const) {
    // The wall display uses full screen, in which the viewport size cannot be changed.
    if (await wall.isVisible()) await wall.getByRole('button', { name: '退出大屏' }).click()
    await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
    await page.setViewportSize({ width, height })
    await visit(page, paths.home({ scope: made.lastId, wall: '1' }))
    await expect(wall.getByRole('button', { name: '塔楼 屋顶层' })).toBeInViewport()
    await expect(wall.getByRole('heading', { name: /问题/ })).toBeInViewport()
    await expect(wall.getByRole('button', { name: '退出大屏' })).toBeInViewport()
  }
  await wall.getByRole('textbox', { name: '查找楼层' }).fill('38')
  await expect(wall.getByText('没有找到“38”')).toBeVisible()
  await wall.getByRole('textbox', { name: '查找楼层' }).fill('3 层 塔')
  await wall.getByRole('button', { name: '塔楼 3 层' }).first().click()
  await expect(wall.getByRole('heading', { level: 2 })).toContainText('塔楼 3 层')
})

test('shows the whole of a long project name in the list of projects', async ({
  newcomer: page,
}) => {
  await visit(page, paths.home())
  await page.getByRole('combobox', { name: '切换项目' }).fill('滨江 塔')
  const name = page.getByRole('option', { name: made.name }).or(page.getByText(made.name)).last()
  await expect(name).toBeVisible()
  const isWhole = await name.evaluate((text) => text.scrollWidth <= text.clientWidth)
  expect(isWhole).toBe(true)
})
