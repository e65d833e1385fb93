import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { createLamp } from './simulatedLamp'
import { createUniqueName } from './listHelpers'
import { takeScreenshot } from './screenshots'
import { createPoster, createProjectDraft } from './projects'

const longName =
  '东侧裙楼与连廊之间的设备夹层（含空调机房、配电间、弱电间与消防水泵房以及屋顶花园检修通道和电梯机房联系廊道区域）第一分区备用'
const widths = [1280, 853, 390]

/** Creates a project with more buildings, floors, views and scenes than fit into one row. */
async function createCrowdedProject(api: APIRequestContext) {
  const post = createPoster(api)
  const name = `华南区滨江总部综合开发项目二期东地块超高层写字楼 ${createUniqueName('塔')}`
  const { projectId } = await post('/v1/project', createProjectDraft({ name, type: 'office' }))
  const space = (parentId: string | null, type: string, name: string) =>
    post('/v1/space', { projectId, parentId, type, name })
  const tower = await space(null, 'building', '塔楼')
  for (let n = 1; n <= 40; n++) await space(tower.id, 'floor', n === 38 ? longName : `${n} 层`)
  for (let n = 2; n <= 30; n++) await space(null, 'building', `${n} 号楼`)
  const roofFloor = await space(tower.id, 'floor', '屋顶层')
  const { close } = await createLamp(api, { projectId, spaceId: roofFloor.id })
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
      path: createUniqueName('v'),
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
  return { projectId, name, views, lastId: roofFloor.id, close }
}

/** Returns elements that cover the middle of a visible control without belonging to it. */
const coveredControls = (page: Page) =>
  page.evaluate(() => {
    const isClipped = (element: Element, x: number, y: number) => {
      for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement) {
        if (getComputedStyle(ancestor).overflow === 'visible') continue
        const { left: leftEdge, right, top, bottom } = ancestor.getBoundingClientRect()
        if (x < leftEdge || x > right || y < top || y > bottom) return true
      }
      return x < 0 || y < 0 || x > innerWidth || y > innerHeight
    }
    return [...document.querySelectorAll('main button, main a, main label')].flatMap((control) => {
      const { left: leftEdge, top, width, height } = control.getBoundingClientRect()
      const [x, y] = [leftEdge + width / 2, top + height / 2]
      if (width === 0 || isClipped(control, x, y)) return []
      const topElement = document.elementFromPoint(x, y)
      const isReachable =
        topElement && (control.contains(topElement) || topElement.contains(control))
      return isReachable
        ? []
        : [`${control.textContent} ← ${topElement?.textContent?.slice(0, 40)}`]
    })
  })

const expectInSight = (control: Locator, row: Locator) =>
  expect(async () => {
    const [controlBox, rowBox] = [await control.boundingBox(), await row.boundingBox()]
    expect(controlBox && rowBox && controlBox.x >= rowBox.x - 1).toBe(true)
    expect(controlBox!.x).toBeLessThan(rowBox!.x + rowBox!.width)
  }).toPass()
const getRow = (page: Page, name: string) => page.getByRole('radiogroup', { name })
/** A radio button is rendered by the label around it. */
const getChoice = (page: Page, groupName: string, name: string) =>
  getRow(page, groupName).locator('label').filter({ hasText: name })

let testProject: Awaited<ReturnType<typeof createCrowdedProject>>
test.beforeAll(async ({ session }) => {
  testProject = await createCrowdedProject(session.api)
})
// Every project shows the same views, so they are removed for other tests.
test.afterAll(async ({ session }) => {
  await testProject.close()
  for (const id of testProject.views) await session.api.delete(`/v1/view/${id}`)
})

test('shows 41 floors, 30 buildings, 60 scenes and 30 views, each reachable, also on the wall display', async ({
  newcomer: page,
}) => {
  await page.addInitScript(
    (id) => localStorage.setItem('currentProjectId', String(id)),
    testProject.projectId,
  )
  await page.goto(paths.home({ scope: testProject.lastId }))

  await test.step('the chosen floor stays visible at every width', async () => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      await expectInSight(getChoice(page, '楼层', '屋顶层'), getRow(page, '楼层').locator('..'))
      await expectInSight(getChoice(page, '楼栋', '塔楼'), getRow(page, '楼栋').locator('..'))
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await test.step('nothing overlaps', async () => {
    const coveredTexts: string[] = []
    for (const [screenName, path] of [
      ['floor', paths.home({ scope: testProject.lastId })],
      ['project', paths.home({ scope: 'project' })],
    ] as const) {
      await visit(page, path)
      await expect(page.getByRole('radiogroup', { name: '楼栋' })).toBeVisible()
      await expect(page.getByRole('button', { name: /场景 1 / }).first()).toBeVisible()
      await takeScreenshot(page, `many choices ${screenName}`, 'light')
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        coveredTexts.push(
          ...(await coveredControls(page)).map((control) => `${screenName} ${width}: ${control}`),
        )
        const isWide = await page.evaluate(() => {
          const main = document.querySelector('main')!
          return main.scrollWidth > main.clientWidth
        })
        expect([width, isWide]).toEqual([width, false])
      }
      await page.setViewportSize({ width: 1280, height: 800 })
    }
    expect(coveredTexts).toEqual([])
  })

  await test.step('a long project name is shown in full in the project list', async () => {
    await page.getByRole('combobox', { name: '切换项目' }).fill('滨江 塔')
    const name = page
      .getByRole('option', { name: testProject.name })
      .or(page.getByText(testProject.name))
      .last()
    await expect(name).toBeVisible()
    const isFullyVisible = await name.evaluate((text) => text.scrollWidth <= text.clientWidth)
    expect(isFullyVisible).toBe(true)
    await page.keyboard.press('Escape')
  })

  await test.step('others are found by text', async () => {
    await visit(page, paths.home({ scope: testProject.lastId }))
    await page.getByRole('combobox', { name: '查找楼层' }).fill('备用　夹层')
    await page.getByTitle(longName).last().click()
    await expect(getRow(page, '楼层').getByRole('radio', { name: longName })).toBeChecked()
    await expectInSight(getChoice(page, '楼层', longName), getRow(page, '楼层').locator('..'))

    await page.getByRole('combobox', { name: '查找楼栋' }).fill('２９')
    await page.getByTitle('29 号楼').last().click()
    await expect(getRow(page, '楼栋').getByRole('radio', { name: '29 号楼' })).toBeChecked()
    await expectInSight(getChoice(page, '楼栋', '29 号楼'), getRow(page, '楼栋').locator('..'))

    await page.getByRole('textbox', { name: '查找场景' }).fill('场景 47')
    await expect(page.getByRole('list', { name: '场景' }).getByRole('listitem')).toHaveCount(1)

    await page.getByRole('combobox', { name: '查找视图' }).fill('视图 30')
    await page.getByTitle('视图 30').last().click()
    await expectInSight(getChoice(page, '视图', '视图 30'), getRow(page, '视图').locator('..'))
  })

  const wall = page.getByRole('dialog', { name: '大屏' })
  const floorHeading = wall.getByRole('heading', { level: 2 })
  await test.step('the wall display shows the current floor and the incidents', async () => {
    for (const [width, height] of [
      [1280, 800],
      [1920, 1080],
    ] as const) {
      // The wall display uses full screen, in which the viewport size cannot be changed.
      if (await wall.isVisible()) await wall.getByRole('button', { name: '退出大屏' }).click()
      await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
      await page.setViewportSize({ width, height })
      await visit(page, paths.home({ scope: testProject.lastId, wall: '1' }))
      await expect(wall.getByRole('button', { name: '塔楼 屋顶层' })).toBeInViewport()
      await expect(wall.getByRole('heading', { name: /问题/ })).toBeInViewport()
      await expect(wall.getByRole('button', { name: '退出大屏' })).toBeInViewport()
    }
    await wall.getByRole('textbox', { name: '查找楼层' }).fill('38')
    await expect(wall.getByText('没有找到“38”')).toBeVisible()
    await wall.getByRole('textbox', { name: '查找楼层' }).fill('3 层 塔')
    await wall.getByRole('button', { name: '塔楼 3 层' }).first().click()
    await expect(floorHeading).toContainText('塔楼 3 层')
  })

  await test.step('the wall display cycles through the floors until it is closed', async () => {
    await wall.getByRole('combobox', { name: '每层停留' }).click()
    await wall.getByTitle('10 秒').click()
    const historyLength = await page.evaluate(() => history.length)
    await expect(floorHeading).toContainText('塔楼 4 层')
    // Back leaves the wall display instead of walking through all floors shown.
    expect(await page.evaluate(() => history.length)).toBe(historyLength)
    await wall.getByRole('button', { name: '退出大屏' }).click()
    await expect(wall).toBeHidden()
  })
})
