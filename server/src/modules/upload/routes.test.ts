import { uploadPath } from '@iot/shared/contract/upload'
import { eq } from 'drizzle-orm'
import { uploadedFile } from '../../tables/upload'
import { noteAnswered, sharedApp, type TestApp } from '../../testing'
import { cleanSvg } from './picture'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})

/** What a PNG of this size begins with; `more` makes it another file. */
function pngOf(width: number, height: number, more = '') {
  const head = Buffer.from(
    '89504e470d0a1a0a0000000d494844520000000000000000080600000000000000',
    'hex',
  )
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return Buffer.concat([head, Buffer.from(more)])
}
const png = pngOf(64, 64)
async function send(
  content: Buffer | string,
  { name = 'a.png', field = 'file', as = 'admin' } = {},
) {
  const form = new FormData()
  form.append(field, new Blob([content as BlobPart], { type: 'image/png' }), name)
  const body = new Response(form)
  const answer = await app.app.inject({
    method: 'POST',
    url: uploadPath,
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
  it('goes by the content, not by the name or the type it claims', async () => {
    expect(await send('<html><script>alert(1)</script></html>')).toMatchObject({
      code: 422,
      msg: '只支持 SVG、PNG、JPEG 和 WebP 图片',
    })
    expect(await send(png, { name: '../../x.svg' })).toMatchObject({
      code: 0,
      data: { type: 'image/png', name: expect.not.stringContaining('/') },
    })
  })
  it('says how to save a drawing that declares entities', async () =>
    expect(
      await send(
        '<?xml version="1.0"?><!-- Generator: Adobe Illustrator --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]><svg xmlns="&ns_svg;"/>',
      ),
    ).toMatchObject({ code: 422, msg: expect.stringContaining('保留 Illustrator 编辑功能') }))
  it('refuses more than 5 MB', async () =>
    expect(await send(Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]))).toMatchObject({
      code: 422,
      data: { fields: { file: '文件不能超过 5 MB' } },
    }))
  it('refuses a drawing that is more than 5 MB once it is clean', async () =>
    expect(await send(`<svg><text>${'&'.repeat(2_000_000)}</text></svg>`)).toMatchObject({
      code: 422,
      msg: '文件不能超过 5 MB',
    }))
  it.each([
    [60_000, 60_000],
    [9_000, 10],
    [6_000, 6_000],
  ])('refuses %i×%i pixels before anybody decodes them', async (width, height) =>
    expect(await send(pngOf(width, height))).toMatchObject({
      code: 422,
      msg: `图片太大（${width}×${height}），边长最多 8192，总共最多 2500 万像素`,
    }),
  )
  it('refuses a picture without a size', async () =>
    expect(await send(pngOf(0, 0))).toMatchObject({ code: 422, msg: '图片无法识别' }))
  it('refuses more than a day’s share of one user, and of that user only', async () => {
    await app.join('collector', 'visitor')
    const as = 'collector'
    const row = { type: 'image/png', name: '', content: Buffer.from(''), createBy: 'collector' }
    const rows = Array.from({ length: 200 }, (_, i) => ({
      ...{ ...row, id: `collected-${i}`, size: 1 },
      createTime: new Date(Date.now() - 3600_000).toISOString(),
    }))
    const { db } = app.app
    await db.insert(uploadedFile).values(rows)
    expect(await send(pngOf(1, 1, 'a'), { as })).toMatchObject({
      code: 422,
      msg: '24 小时内最多上传 200 个文件，请稍后再传',
    })
    expect(await send(pngOf(1, 1, 'b'))).toMatchObject({ code: 0 })
    const mine = eq(uploadedFile.createBy, 'collector')
    await db.update(uploadedFile).set({ size: 600_000 }).where(mine)
    await db.delete(uploadedFile).where(eq(uploadedFile.id, 'collected-0'))
    expect(await send(pngOf(1, 1, 'c'), { as })).toMatchObject({
      code: 422,
      msg: '24 小时内最多上传 100 MB，请稍后再传',
    })
    await db.update(uploadedFile).set({ createTime: '2026-01-01T00:00:00Z' }).where(mine)
    expect(await send(pngOf(1, 1, 'd'), { as })).toMatchObject({ code: 0 })
  })
  it('serves it back as a picture and nothing else', async () => {
    const { data } = await send(png)
    noteAnswered({ method: 'POST', path: uploadPath })
    const answer = await app.app.inject({ method: 'GET', url: data.url })
    expect(answer.rawPayload.equals(png)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
  })
  it('answers 404 for a file that is none', async () =>
    expect((await app.app.inject({ method: 'GET', url: `${uploadPath}/none` })).statusCode).toBe(
      404,
    ))
})

describe('an SVG', () => {
  const clean = (svg: string) => cleanSvg(Buffer.from(svg))?.toString() ?? ''
  it.each([
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><path d="M0 0"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><path d="M0 0" onclick="alert(1)"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><a href="javascript:alert(1)"><path d="M0 0"/></a></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><use href="https://evil.example/x.svg#a"/><image href="http://evil.example/a.png"/><path d="M0 0"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><style>@import "http://evil.example";</style><path d="M0 0" fill="url(http://evil.example/#a)"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><iframe src="http://evil.example"/></foreignObject><path d="M0 0"/></svg>',
  ])('loses what runs or loads, and keeps its shapes: %s', (svg) => {
    expect(clean(svg)).toContain('<path d="M0 0"')
    expect(clean(svg)).not.toMatch(
      /script|onload|onclick|javascript|evil|foreignObject|iframe|ENTITY|@import/i,
    )
  })
  it('with entities of its own is refused', () =>
    expect(
      clean(
        '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>',
      ),
    ).toBe(''))
  it.each([
    ...['<style>', '<g>', '<g a="/>">', '<g></x>'],
    ...['<g><!--</g>-->', '<g><![CDATA[</g>]]>', '<g a="</g>">', '<g><?x </g>?>'],
  ])('nested without end is refused: %s', (tag) =>
    expect(clean(`<svg>${tag.repeat(500_000)}</svg>`)).toBe(''),
  )
  const doubled = (times: number, inner: (at: number) => string) =>
    `<svg>${Array.from({ length: times }, (_, at) => `<g id="g${at}">${inner(at + 1).repeat(2)}</g>`).join('')}<path id="g${times}"/></svg>`
  it.each([
    ['uses', doubled(30, (at) => `<use href="#g${at}"/>`)],
    ['old uses', doubled(30, (at) => `<use xlink:href='#g${at}'/>`)],
    ['patterns', doubled(30, (at) => `<path style="fill:url( '#g${at}')"/>`)],
    ['patterns in capitals', doubled(30, (at) => `<path fill="URL(#g${at})"/>`)],
    [
      'parts whose names others claimed that are not kept',
      doubled(30, (at) => `<use href="#g${at}"/>`).replace(
        '<svg>',
        `<svg>${Array.from({ length: 30 }, (_, at) => `<foo id="g${at}"/>`).join('')}`,
      ),
    ],
    [
      'a chain',
      `<svg>${Array.from({ length: 5000 }, (_, at) => `<g id="g${at}"><use href="#g${at + 1}"/></g>`).join('')}</svg>`,
    ],
  ])('that draws itself without end is refused: %s', (_, svg) => expect(clean(svg)).toBe(''))
  it.each(['url(#%67)', "url('#%67')", "url('#g h')"])(
    'keeps no name a browser decodes: %s',
    (fill) =>
      expect(clean(`<svg><g id="g"/><path d="M0 0" fill="${fill}"/></svg>`)).toContain(
        '<path d="M0 0">',
      ),
  )
  it('may draw one thing often, and name itself', () => {
    expect(clean(doubled(8, (at) => `<use href="#g${at}"/>`))).toContain('<use href="#g8">')
    expect(clean('<svg><g id="a"><use href="#a"/></g></svg>')).toContain('<use href="#a">')
  })
  it('keeps case, gradients and references within itself', () => {
    const kept = clean(
      '<?xml version="1.0"?><svg viewBox="0 0 8 8"><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient></defs><rect fill="url(#g)" width="8"/><use href="#g"/></svg>',
    )
    expect(kept).toContain('viewBox="0 0 8 8"')
    expect(kept).toContain('<linearGradient id="g">')
    expect(kept).toContain('fill="url(#g)"')
    expect(kept).toContain('href="#g"')
    expect(kept).toContain('xmlns="http://www.w3.org/2000/svg"')
  })
  it('keeps the colours and lines that a drawing program wrote as styles', () => {
    const kept = clean(
      `<svg viewBox="0 0 8 8"><style><![CDATA[
        @import "http://evil.example"; /* walls */ .wall, .door { fill: none; stroke:#333 } text{font-size:3px}
        .leak { fill: url(http://evil.example/#a); href: http://evil.example; onclick: alert(1) }
      ]]></style><path class="wall thin" d="M0 0" stroke="red"/><path class="leak" d="M1 1"/>
      <rect style="fill:#eee;stroke-width:0.5 !important" width="8"/><text>101</text></svg>`,
    )
    expect(kept).toContain('<path class="wall thin" d="M0 0" stroke="#333" fill="none">')
    expect(kept).toContain('<path class="leak" d="M1 1">')
    expect(kept).toContain('<rect width="8" fill="#eee" stroke-width="0.5">')
    expect(kept).toContain('<text font-size="3px">101</text>')
    expect(kept).not.toMatch(/evil|style=|<style/)
  })
})
