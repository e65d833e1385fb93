import { createUserAndSignIn, expect, storeToken, test, visit } from './fixtures'
import { getField, getDialog, saveDialog } from './listHelpers'
import { createPoster, createProjectDraft } from './projects'

test('builds a tower, copies a floor, and keeps a space with content', async ({
  operator: page,
  api,
}) => {
  const { data } = (await (
    await api.post('/v1/project', { data: createProjectDraft() })
  ).json()) as {
    data: { id: string }
  }
  await visit(page, `/system/project/${data.id}?tab=space`)
  await page.getByRole('button', { name: '新建楼栋' }).click()
  await getField(page, '名称').fill('一号楼')
  await saveDialog(page)
  const getMoreButton = (name: string) => page.getByRole('button', { name: `${name}的更多操作` })
  await getMoreButton('一号楼').click()
  await page.getByRole('menuitem', { name: '新建下级' }).click()
  await getField(page, '名称').fill('1 层')
  await saveDialog(page)
  await getMoreButton('1 层').click()
  await page.getByRole('menuitem', { name: '新建下级' }).click()
  await getDialog(page).getByText('房间').click()
  await getField(page, '名称').fill('101')
  await saveDialog(page)
  await getMoreButton('1 层').click()
  await page.getByRole('menuitem', { name: '复制楼层' }).click()
  await getField(page, '名称').fill('2 层')
  await saveDialog(page)
  await expect(page.getByRole('treeitem', { name: /2 层/ })).toBeVisible()
  await getMoreButton('一号楼').click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await getDialog(page)
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(getDialog(page).getByText('1 层')).toBeVisible()
  await getDialog(page).getByRole('button', { name: '知道了' }).click()
})

test('sets plan and scale of a floor, and explains how to convert a CAD drawing', async ({
  operator: page,
  api,
}) => {
  const post = createPoster(api)
  const { id, projectId } = await post('/v1/project', createProjectDraft())
  const tower = await post('/v1/space', {
    projectId,
    parentId: null,
    type: 'building',
    name: '塔楼',
  })
  await post('/v1/space', { projectId, parentId: tower.id, type: 'floor', name: '顶层' })
  await visit(page, `/system/project/${id}?tab=space`)
  await page.getByRole('button', { name: '平面图' }).click()
  const fileInput = page.locator('input[type=file]')
  await fileInput.setInputFiles({
    name: 'a.dxf',
    mimeType: 'image/vnd.dxf',
    buffer: Buffer.from('0\nSECTION\n'),
  })
  await expect(page.getByText(/在 CAD 里把它导出为 SVG/)).toBeVisible()
  await fileInput.setInputFiles({
    name: 'a.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 300"><script>1</script><rect width="600" height="300" fill="#eee"/></svg>',
    ),
  })
  await expect(getDialog(page).getByText('脚本 1 处（script）')).toBeVisible()
  await expect(getDialog(page).getByRole('img', { name: 'a.svg' })).toBeVisible()
  await expect(page.getByText('顶层还没有平面图')).toBeVisible()
  await getDialog(page).getByRole('button', { name: '使用这张图片' }).click()
  await expect(page.getByRole('img', { name: '顶层平面图，0 台设备' })).toBeVisible()
  await page.getByLabel('图宽（米）').fill('60')
  await page.getByLabel('图宽（米）').press('Enter')
  await expect(page.getByRole('treeitem', { name: /顶层/ })).toContainText('60 m')
})

test('opens a floor by its name and shows what is on it', async ({ operator: page, api }) => {
  const post = createPoster(api)
  const { id, projectId } = await post('/v1/project', createProjectDraft())
  const tower = await post('/v1/space', {
    projectId,
    parentId: null,
    type: 'building',
    name: '塔楼',
  })
  const floor = await post('/v1/space', {
    projectId,
    parentId: tower.id,
    type: 'floor',
    name: '十八层',
  })
  await post('/v1/space', { projectId, parentId: floor.id, type: 'room', name: '1801' })
  await visit(page, `/system/project/${id}?tab=space`)
  await page.getByRole('link', { name: '十八层' }).click()
  await expect(page).toHaveURL(`/system/project/floor/${floor.id}`)
  const main = page.getByRole('main')
  await expect(main.getByText('塔楼 / 十八层')).toBeVisible()
  await expect(main.getByText('无平面图')).toBeVisible()
  await expect(main.getByText('0 台，0 台在线')).toBeVisible()
  await expect(main.getByText('0 盏：开 0，关 0，未知 0，离线 0，未激活 0')).toBeVisible()
  await expect(main.getByText('十八层还没有设备')).toBeVisible()
  for (const name of ['最近的控制', '未恢复的告警', '手动保持', '涉及的场景'])
    await expect(page.getByRole('region', { name })).toBeVisible()
  // The room of the floor is in the log of the floor, which leads to the whole log of the same place.
  await expect(main.getByText('新建空间 · 1801 · admin')).toBeVisible()
  await expect(main.getByText('新建空间 · 十八层 · admin')).toBeVisible()
  await page.getByRole('button', { name: '平面图' }).click()
  await expect(page.getByRole('dialog', { name: '十八层平面图' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: '全部操作' }).click()
  await expect(page.getByText('位置：塔楼 / 十八层')).toBeVisible()
  await expect(page.getByRole('cell', { name: '1801', exact: true })).toBeVisible()
  await expect(page.getByRole('cell', { name: '塔楼', exact: true })).toHaveCount(0)
})

test('leaves out the parts of a floor that an operator may not read', async ({ page, api }) => {
  const post = createPoster(api)
  const { projectId } = await post('/v1/project', createProjectDraft())
  const tower = await post('/v1/space', {
    projectId,
    parentId: null,
    type: 'building',
    name: '塔楼',
  })
  const floor = await post('/v1/space', {
    projectId,
    parentId: tower.id,
    type: 'floor',
    name: '底层',
  })
  const operator = await createUserAndSignIn('operator', api, [projectId])
  await storeToken(page, operator.token)
  await page.goto(`/system/project/floor/${floor.id}`)
  await expect(page.getByRole('region', { name: '涉及的场景' })).toBeVisible()
  await expect(page.getByText('底层还没有设备')).toBeVisible()
  await expect(page.getByText('操作记录')).toHaveCount(0)
})
