import { authApi } from '@iot/shared/contract/access/auth.api'
import { randomBytes } from 'node:crypto'
import type { Input } from '@iot/shared/contract/endpoint'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import { iconApi } from '@iot/shared/contract/product/icon.api'
import { iconPath } from '@iot/shared/contract/product/iconName'
import { menuApi } from '@iot/shared/contract/access/menu.api'
import { uploadPath } from '@iot/shared/contract/platform/upload'
import { sharedApp, type TestApp } from '../../testing'
import { eq } from 'drizzle-orm'
import { now } from '../../tables/columns'
import { scene } from '../../tables/scene'
import { uploadedFile } from '../../tables/upload'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})
const admin = () => app.as('admin')

async function createUpload({ type = 'image/svg+xml', size = 100 } = {}) {
  const id = randomBytes(16).toString('hex')
  const file = { id, name: 'a', type, size, content: Buffer.from('<svg/>'), createBy: 'admin' }
  await app.app.db.insert(uploadedFile).values({ ...file, createTime: now() })
  return `${uploadPath}/${id}`
}
const draft = async (code: string, change = {}): Promise<Input<typeof iconApi.create>> => ({
  name: `图标 ${code}`,
  code,
  group: '照明',
  on: await createUpload(),
  off: '',
  offline: '',
  fault: '',
  tags: [],
  status: 'enabled',
  ...change,
})
const getFieldErrors = async (change: object) =>
  admin()
    .call(iconApi.create, await draft('refused', change))
    .catch(({ data }) => data.fields)

test('an icon requires uploaded pictures of a permitted size and type', async () => {
  expect(await getFieldErrors({ on: '' })).toEqual({ on: '请上传正常图标' })
  expect(await getFieldErrors({ off: 'https://example.com/a.svg' })).toEqual({ off: '请上传图片' })
  const missingPicture = { off: '图片不存在，请重新上传' }
  expect(await getFieldErrors({ off: `${uploadPath}/${'0'.repeat(32)}` })).toEqual(missingPicture)
  const jpegUrl = await createUpload({ type: 'image/jpeg' })
  expect(await getFieldErrors({ fault: jpegUrl })).toEqual({ fault: '图标只能是 SVG、PNG 或 WebP' })
  const largeFileUrl = await createUpload({ size: 200 * 1024 + 1 })
  expect(await getFieldErrors({ on: largeFileUrl })).toEqual({ on: '图标不能超过 200 KB' })
})

test('a replaced picture is replaced wherever the icon is used, and stands in for missing variants', async () => {
  const icon = await admin().call(iconApi.create, await draft('seen-anew'))
  const getPicture = async (variant: 'on' | 'off') => {
    const answer = await app.app.inject({ method: 'GET', url: iconPath(icon.id, variant) })
    return [answer.statusCode, answer.headers.location, answer.headers['cache-control']]
  }
  expect(await getPicture('off')).toEqual([302, icon.on, 'no-cache'])
  const [on, off] = [await createUpload(), await createUpload({ type: 'image/webp' })]
  const { id, version } = await admin().call(iconApi.update, { ...icon, on, off })
  expect({ id, version }).toEqual({ id: icon.id, version: 2 })
  expect(await getPicture('on')).toEqual([302, on, 'no-cache'])
  expect(await getPicture('off')).toEqual([302, off, 'no-cache'])
})

test.each(['/v1/icon/none/on', iconPath('018f0000-0000-7000-8000-000000000000')])(
  'answers 404 at %s',
  async (url) => expect((await app.app.inject({ method: 'GET', url })).statusCode).toBe(404),
)

test('an icon used by a menu is counted, listed and cannot be deleted', async () => {
  const icon = await admin().call(iconApi.create, await draft('used', { tags: ['大堂', '灯'] }))
  const menu = await admin().call(menuApi.create, {
    parentId: null,
    type: 'folder',
    name: '用图标的目录',
    path: '',
    routeName: '',
    icon: icon.id,
    permission: '',
    visible: false,
    sort: 99,
    status: 'enabled',
  })
  const { list } = await admin().call(iconApi.page, { tag: '大堂' })
  expect(list).toMatchObject([{ code: 'used', usedCount: 1 }])
  await expect(admin().call(iconApi.remove, { id: icon.id })).rejects.toMatchObject({
    code: 1003,
    data: { references: [{ entity: '菜单', name: '用图标的目录' }] },
  })
  const removals = await admin().call(iconApi.removeMany, { ids: [icon.id] })
  expect(removals).toMatchObject([
    { ok: false, reason: expect.stringContaining('正被 1 处使用，不能删除：') as unknown },
  ])
  await admin().call(menuApi.remove, { id: menu.id })
  expect(await admin().call(iconApi.remove, { id: icon.id })).toBeNull()
})

test('an icon used by a category is counted and cannot be deleted', async () => {
  const icon = await admin().call(iconApi.create, await draft('category', { tags: ['品类'] }))
  const category = await admin().call(productCategoryApi.create, {
    parentId: null,
    name: '用图标的品类',
    code: 'withIcon',
    icon: icon.id,
    sort: 99,
    description: '',
  })
  const { list } = await admin().call(iconApi.page, { tag: '品类' })
  expect(list).toMatchObject([{ code: 'category', usedCount: 1 }])
  await expect(admin().call(iconApi.remove, { id: icon.id })).rejects.toMatchObject({
    code: 1003,
    data: { references: [{ entity: '品类', name: '用图标的品类' }] },
  })
  await admin().call(productCategoryApi.remove, { id: category.id })
  expect(await admin().call(iconApi.remove, { id: icon.id })).toBeNull()
})

test('an icon used by a scene is counted and cannot be deleted, and the scene is named to users of its project', async () => {
  const icon = await admin().call(iconApi.create, await draft('scene', { tags: ['场景'] }))
  const authors = { createBy: 'test', updateBy: 'test' }
  const [row] = await app.app.db
    .insert(scene)
    .values({ ...authors, projectId: 1, name: '用图标的场景', icon: icon.id, sort: 1 })
    .returning()
  const { list } = await admin().call(iconApi.page, { tag: '场景' })
  expect(list).toMatchObject([{ code: 'scene', usedCount: 1 }])
  const sceneReference = { references: [{ entity: '场景', name: '用图标的场景' }] }
  await expect(admin().call(iconApi.remove, { id: icon.id })).rejects.toMatchObject({
    code: 1003,
    data: sceneReference,
  })
  const otherProjectAdmin = await app.join('iconelsewhere', 'project-admin', [2])
  await expect(otherProjectAdmin.call(iconApi.remove, { id: icon.id })).rejects.toMatchObject({
    status: 403,
  })
  await app.app.db.delete(scene).where(eq(scene.id, row!.id))
  expect(await admin().call(iconApi.remove, { id: icon.id })).toBeNull()
})

test('the icon picker marks disabled icons', async () => {
  const icon = await admin().call(iconApi.create, await draft('disabled'))
  await admin().call(iconApi.setStatus, { ids: [icon.id], status: 'disabled' })
  const options = await admin().call(iconApi.list, {})
  expect(options.find(({ id }) => id === icon.id)).toMatchObject({ status: 'disabled' })
})

test('a replaced icon is announced to open pages, which request a new URL', async () => {
  const { user: _, ...before } = await admin().call(authApi.me, {})
  expect(await admin().call(authApi.me, {})).toMatchObject({ looksVersion: before.looksVersion })
  const icon = await admin().call(iconApi.create, await draft('replaced-on-pages'))
  const sessionAfterCreate = await admin().call(authApi.me, {})
  expect(sessionAfterCreate.looksVersion).not.toBe(before.looksVersion)
  const replacementUrl = await createUpload()
  await admin().call(iconApi.update, { ...icon, on: replacementUrl })
  const { looksVersion } = await admin().call(authApi.me, {})
  expect(looksVersion).not.toBe(sessionAfterCreate.looksVersion)
  const answer = await app.app.inject(iconPath(icon.id, 'on', looksVersion))
  expect(answer.headers).toMatchObject({ location: replacementUrl, 'cache-control': 'no-cache' })
})

test('the export of icons lists their category and number of uses', async () => {
  const reader = await app.join('iconvisitor', 'visitor', [1])
  await expect(reader.exportTable(iconApi.exportRows, {})).rejects.toMatchObject({ status: 403 })
  const firstIcon = await admin().call(
    iconApi.create,
    await draft('sheet-1', { tags: ['大堂', '灯'] }),
  )
  await admin().call(iconApi.create, await draft('sheet-2'))
  expect(await admin().exportTable(iconApi.exportRows, { name: 'sheet-', sort: 'code' })).toEqual([
    ['图标名称', '图标编码', '分组', '标签', '使用处', '状态', '更新时间'],
    ['图标 sheet-1', 'sheet-1', '照明', '大堂、灯', '0', '启用', expect.any(String)],
    ['图标 sheet-2', 'sheet-2', '照明', '', '0', '启用', expect.any(String)],
  ])
  expect(await admin().exportTable(iconApi.exportRows, { ids: [firstIcon.id] })).toHaveLength(2)
})
