import { expect, test, visit } from './fixtures'
import { getDialog, saveDialog, createUniqueName } from './listHelpers'
import { createPoster, createProjectDraft } from './projects'

test('takes a snapshot, compares it with later changes, and restores it after a preview', async ({
  operator: page,
  api,
}) => {
  const post = createPoster(api)
  const { id, projectId } = await post('/v1/project', createProjectDraft())
  const createSpace = (parentId: string | null, type: string, name: string) =>
    post('/v1/space', { projectId, parentId, type, name })
  const tower = await createSpace(null, 'building', '塔楼')
  const floor = await createSpace(tower.id, 'floor', '1 层')

  await visit(page, `/system/project/${id}?tab=snapshot`)
  await page.getByRole('button', { name: '拍摄快照' }).click()
  await getDialog(page).getByLabel('快照名称').fill('改造之前')
  await saveDialog(page)
  const row = page.getByRole('row', { name: /改造之前/ }).first()
  await expect(row).toContainText('手动')

  await api.delete(`/v1/space/${floor.id}`)
  await createSpace(tower.id, 'floor', '夹层')
  await row.getByRole('button', { name: '比较' }).click()
  const tree = getDialog(page)
  await expect(tree.getByRole('treeitem', { name: /＋.*夹层/ })).toBeVisible()
  await expect(tree.getByRole('treeitem', { name: /－.*1 层/ })).toBeVisible()
  await getDialog(page)
    .getByRole('button', { name: /Close|关闭/ })
    .click()

  await row.getByRole('button', { name: '改造之前的更多操作' }).click()
  await page.getByRole('menuitem', { name: '恢复' }).click()
  await expect(getDialog(page).getByText('将新增 1，修改 0，删除 1')).toBeVisible()
  await getDialog(page).getByRole('button', { name: '恢复 2 处' }).click()
  await expect(page.getByRole('row', { name: /恢复“改造之前”之前.*自动/ })).toBeVisible()
  await page.getByRole('tab', { name: '空间' }).click()
  await expect(page.getByRole('treeitem', { name: /1 层/ })).toBeVisible()
  await expect(page.getByRole('treeitem', { name: /夹层/ })).toHaveCount(0)
})

test('takes scheduled snapshots, and creates a new project from one', async ({
  operator: page,
  api,
}) => {
  const post = createPoster(api)
  const { id, projectId } = await post('/v1/project', createProjectDraft())
  await post('/v1/space', { projectId, parentId: null, type: 'building', name: '样板楼' })
  await post('/v1/project/snapshot', { projectId, name: '样板' })
  await visit(page, `/system/project/${id}?tab=snapshot`)
  await page.getByRole('button', { name: '定时拍摄' }).click()
  await getDialog(page).getByText('每天 03:00').click()
  await getDialog(page).getByLabel('保留份数').fill('7')
  await saveDialog(page)
  await page.getByRole('button', { name: '定时拍摄' }).click()
  await expect(getDialog(page).getByText(/下一次：\S+ 03:00/)).toBeVisible()
  await getDialog(page)
    .getByRole('button', { name: /取\s?消/ })
    .click()

  const name = createUniqueName('副本')
  await page.getByRole('button', { name: '样板的更多操作' }).click()
  await page.getByRole('menuitem', { name: '以此新建项目' }).click()
  await getDialog(page).getByLabel('项目名称').fill(name)
  await getDialog(page).getByLabel('项目编码').fill(createUniqueName('c'))
  await getDialog(page).getByLabel('分组').fill('测试片区')
  await saveDialog(page)
  await expect(page.getByText(name, { exact: true }).first()).toBeVisible()
  await page.getByRole('tab', { name: '空间' }).click()
  await expect(page.getByRole('treeitem', { name: /样板楼/ })).toBeVisible()
})

test('says who saved the schedule meanwhile, and keeps the own choice', async ({
  operator: page,
  api,
}) => {
  const post = createPoster(api)
  const { id, projectId } = await post('/v1/project', createProjectDraft())
  await visit(page, `/system/project/${id}?tab=snapshot`)
  await page.getByRole('button', { name: '定时拍摄' }).click()
  await getDialog(page).getByText('每天 03:00').click()
  await getDialog(page).getByLabel('保留份数').fill('7')
  const { data } = (await (
    await api.get(`/v1/project/snapshot/schedule?projectId=${projectId}`)
  ).json()) as { data: { version: number } }
  const { version } = data
  await post('/v1/project/snapshot/schedule', { projectId, version, every: 'weekly', keep: 5 })
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  const conflict = page.getByRole('dialog', { name: '这条记录刚被别人修改过' })
  await expect(conflict).toContainText('平台管理员 于')
  await conflict.getByRole('button', { name: '合并保存' }).click()
  await expect(getDialog(page)).toBeHidden()
  const storedSchedule = await api.get(`/v1/project/snapshot/schedule?projectId=${projectId}`)
  expect(await storedSchedule.json()).toMatchObject({ data: { every: 'daily', keep: 7 } })
})
