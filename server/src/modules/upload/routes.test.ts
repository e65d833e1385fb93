import { getPastTime, hourMs } from '@iot/shared/contract/duration'
import type { AddressInfo } from 'node:net'
import { uploadLimits, uploadPath } from '@iot/shared/contract/platform/upload'
import type { UploadPurpose } from '@iot/shared/contract/platform/upload.schema'
import { eq } from 'drizzle-orm'
import { uploadedFile } from '../../tables/upload'
import { recordAnsweredCall, sharedApp, type TestApp } from '../../testing'
import { createGif, createJpeg, createPng, createWebp } from './testing.pictures'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})

const png = createPng(64, 64)
type SendOptions = { name?: string; field?: string; as?: string; purpose?: string }
/** Each call uses another address, because one address may send 60 a minute. */
let requestCount = 0
async function send(
  content: Buffer | string,
  { name = 'a.png', field = 'file', as = 'admin', purpose }: SendOptions = {},
) {
  const form = new FormData()
  form.append(field, new Blob([content as BlobPart], { type: 'image/png' }), name)
  const body = new Response(form)
  const answer = await app.app.inject({
    method: 'POST',
    url: uploadPath + (purpose === undefined ? '' : `?purpose=${purpose}`),
    remoteAddress: `10.0.0.${++requestCount}`,
    payload: Buffer.from(await body.arrayBuffer()),
    headers: {
      'content-type': body.headers.get('content-type')!,
      ...(as && (await app.as(as).headers())),
    },
  })
  return answer.json()
}

describe('POST /v1/upload/file', () => {
  it('refuses without a session', async () =>
    expect(await send(png, { as: '' })).toMatchObject({ code: 401 }))
  it('refuses a visitor, who may not save a picture', async () => {
    await app.join('looker', 'visitor')
    expect(await send(png, { as: 'looker' })).toMatchObject({
      code: 403,
      msg: '没有“上传文件”的权限',
    })
  })
  it.each<[UploadPurpose, string]>([
    ['icon', '新建图标'],
    ['plan', '平面图'],
    ['product', '新建产品'],
  ])('refuses an operator a picture for %s', async (purpose, title) => {
    await app.join('watcher', 'operator')
    expect(await send(png, { as: 'watcher', purpose })).toMatchObject({
      code: 403,
      msg: expect.stringContaining(title),
    })
  })
  it('refuses an unknown purpose', async () =>
    expect(await send(png, { purpose: 'avatar' })).toMatchObject({
      code: 422,
      data: { fields: { purpose: expect.stringContaining('icon') } },
    }))
  it('accepts a plan with permission to set one', async () => {
    await app.join('planner', 'project-admin')
    expect(await send(png, { as: 'planner', purpose: 'plan' })).toMatchObject({ code: 0 })
  })
  it('refuses a call without a file, or with another field', async () => {
    const answer = await app.app.inject({
      method: 'POST',
      url: uploadPath,
      payload: {},
      headers: await app.as('admin').headers(),
    })
    expect(answer.json()).toMatchObject({ code: 422 })
    expect(await send(png, { field: 'other' })).toMatchObject({
      code: 422,
      data: { fields: { file: '请选择要上传的文件' } },
    })
  })
  it('detects the type by content, not by name or declared type', async () => {
    expect(await send('<html><script>alert(1)</script></html>')).toMatchObject({
      code: 422,
      msg: '只支持 SVG、PNG、JPEG 和 WebP 图片',
    })
    expect(await send(png, { name: '../../x.svg' })).toMatchObject({
      code: 0,
      data: { type: 'image/png', name: expect.not.stringContaining('/') },
    })
  })
  it('explains how to save a drawing that declares entities', async () =>
    expect(
      await send(
        '<?xml version="1.0"?><!-- Generator: Adobe Illustrator --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]><svg xmlns="&ns_svg;"/>',
      ),
    ).toMatchObject({ code: 422, msg: expect.stringContaining('保留 Illustrator 编辑功能') }))
  it('refuses an empty file', async () =>
    expect(await send('')).toMatchObject({ code: 422, msg: '文件是空的' }))
  it('refuses more than 5 MB on a real connection and keeps no part of it', async () => {
    const { server } = app.app
    if (!server.listening) await app.app.listen({ port: 0, host: '127.0.0.1' })
    // The platform outlives this file, and a run of this file alone would never end.
    server.unref()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${uploadPath}`
    const headers = await app.as('admin').headers()
    const post = async (content: Buffer) => {
      const body = new FormData()
      body.append('file', new Blob([content as BlobPart]), 'a.png')
      return (await fetch(url, { method: 'POST', headers, body })).json()
    }
    const largestPng = createPng(64, 64, { bytes: uploadLimits.bytes })
    const size = uploadLimits.bytes
    expect(largestPng).toHaveLength(size)
    // Each of these is a complete picture within the limit and more bytes behind it; chunks of a body have up to 64 KiB.
    for (const extraBytes of [1, 65_536, 65_537, 1_000_000])
      expect(await post(Buffer.concat([largestPng, Buffer.alloc(extraBytes)]))).toMatchObject({
        code: 422,
        data: { fields: { file: '文件不能超过 5 MB' } },
      })
    expect(await post(largestPng)).toMatchObject({ code: 0, data: { size, received: size } })
    const storedFiles = await app.app.db
      .select({ id: uploadedFile.id })
      .from(uploadedFile)
      .where(eq(uploadedFile.size, size))
    expect(storedFiles).toHaveLength(1)
  })
  it.each([
    ['a PNG', createPng(8, 8, { bytes: 3000 })],
    ['a JPEG', createJpeg(8, 8)],
    ['a WebP', createWebp(8, 8)],
  ])('refuses %s truncated at any position', async (_, content) => {
    const cuts = [1, 4, 9, Math.floor(content.length / 20)]
    for (const cut of cuts)
      expect(await send(content.subarray(0, content.length - cut))).toMatchObject({
        code: 422,
        data: { fields: { file: expect.stringMatching(/图片(不完整|无法识别)/) } },
      })
    expect(await send(content)).toMatchObject({ code: 0, data: { omitted: [] } })
  })
  it('refuses a PNG with a damaged byte', async () => {
    const damagedPng = createPng(8, 8, { bytes: 3000 })
    damagedPng[1000]! ^= 1
    expect(await send(damagedPng)).toMatchObject({
      code: 422,
      msg: expect.stringContaining('图片不完整'),
    })
  })
  it('refuses a GIF', async () =>
    expect(await send(createGif())).toMatchObject({
      code: 422,
      msg: '只支持 SVG、PNG、JPEG 和 WebP 图片',
    }))
  it('reports what was removed from a drawing', async () =>
    expect(
      await send('<svg viewBox="0 0 8 8"><script>1</script><path d="M0 0" onclick="1"/></svg>'),
    ).toMatchObject({
      code: 0,
      data: { omitted: ['脚本 1 处（script）', '事件处理 1 处（onclick）'] },
    }))
  it('refuses a drawing that exceeds 5 MB after cleaning', async () =>
    expect(
      await send(`<svg><text>${'&gt;'.repeat(10)}${'>'.repeat(2_000_000)}</text></svg>`),
    ).toMatchObject({
      code: 422,
      msg: '文件不能超过 5 MB',
    }))
  it.each([
    [60_000, 60_000],
    [9_000, 10],
    [6_000, 6_000],
  ])('refuses %i×%i pixels before decoding', async (width, height) =>
    expect(await send(createPng(width, height))).toMatchObject({
      code: 422,
      msg: `图片太大（${width}×${height}），边长最多 8192，总共最多 2500 万像素`,
    }),
  )
  it('refuses a picture without a size', async () =>
    expect(await send(createPng(0, 0))).toMatchObject({ code: 422, msg: '图片无法识别' }))
  it('limits the daily volume per user', async () => {
    await app.join('collector', 'project-admin')
    const collectorName = 'collector'
    const row = { type: 'image/png', name: '', content: Buffer.from(''), createBy: 'collector' }
    const rows = Array.from({ length: 200 }, (_, i) => ({
      ...row,
      id: `collected-${i}`,
      size: 1,
      createTime: getPastTime(hourMs),
    }))
    const { db } = app.app
    await db.insert(uploadedFile).values(rows)
    expect(await send(createPng(1, 1, { more: 'a' }), { as: collectorName })).toMatchObject({
      code: 422,
      msg: '24 小时内最多上传 200 个文件，请稍后再传',
    })
    expect(await send(createPng(1, 1, { more: 'b' }))).toMatchObject({ code: 0 })
    const byCollector = eq(uploadedFile.createBy, 'collector')
    await db.update(uploadedFile).set({ size: 600_000 }).where(byCollector)
    await db.delete(uploadedFile).where(eq(uploadedFile.id, 'collected-0'))
    expect(await send(createPng(1, 1, { more: 'c' }), { as: collectorName })).toMatchObject({
      code: 422,
      msg: '24 小时内最多上传 100 MB，请稍后再传',
    })
    await db.update(uploadedFile).set({ createTime: '2026-01-01T00:00:00Z' }).where(byCollector)
    expect(await send(createPng(1, 1, { more: 'd' }), { as: collectorName })).toMatchObject({
      code: 0,
    })
  })
  it('serves the file as a picture only', async () => {
    const { data } = await send(png)
    recordAnsweredCall({ method: 'POST', path: uploadPath })
    const answer = await app.app.inject({ method: 'GET', url: data.url })
    expect(answer.rawPayload.equals(png)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
  })
  it('answers 404 for an unknown file', async () =>
    expect((await app.app.inject({ method: 'GET', url: `${uploadPath}/none` })).statusCode).toBe(
      404,
    ))
})
