import { readFile } from 'node:fs/promises'
import { uploadLimits } from '@iot/shared/contract/platform/upload'
import { imageSize } from 'image-size'
import { examine } from './examine.mjs'
import { examinePicture } from './picture'
import { createGif, createJpeg, createPng, createWebpWithMetadata } from './testing.pictures'

/** Examines a file as the worker thread does. To start a thread takes longer than most tests of this file. */
async function examineHere(file: string | Buffer) {
  const result = await examine(Buffer.from(file), uploadLimits)
  if ('refusal' in result) throw new Error(result.refusal)
  return result
}
const cleanDrawing = async (svg: string | Buffer) => {
  const { content, omitted } = await examineHere(svg)
  return { svg: content.toString(), omitted }
}
async function getRefusal(svg: string | Buffer) {
  const result = await examine(Buffer.from(svg), uploadLimits)
  return 'refusal' in result ? result.refusal : undefined
}
const visiblePath = '<path d="M0 0"/>'
const wrapInSvg = (inner: string, root = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"${root}>${inner}</svg>`
const toDataUrl = (content: Buffer, type = 'image/png') =>
  `data:${type};base64,${content.toString('base64')}`

describe('a drawing is refused', () => {
  it.each([
    ['that is truncated', wrapInSvg(`<g>${visiblePath}`).replace('</svg>', '')],
    ['with an element that is not closed', wrapInSvg(`<g>${visiblePath}`)],
    ['with an attribute without quotes', wrapInSvg('<path d=M0/>')],
    ['with an unknown XML entity', wrapInSvg(`<text>&nbsp;</text>`)],
  ])('%s, with the position of the error', async (_, svg) =>
    expect(await getRefusal(svg)).toMatch(
      /^SVG 文件不完整或有错（第 \d+ 行第 \d+ 列），请重新导出再上传$/,
    ),
  )
  it('without visible content', async () =>
    expect(await getRefusal(wrapInSvg('<g/>'))).toBe('SVG 里没有可以显示的内容'))
  it('whose visible content is removed, with what was removed', async () =>
    expect(await getRefusal(wrapInSvg('<script>1</script><image href="plan.png"/>'))).toBe(
      'SVG 里没有可以显示的内容，去掉了脚本 1 处（script）、外部图片 1 处（plan.png）',
    ))
  it('with entity declarations', async () =>
    expect(
      await getRefusal(
        '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>',
      ),
    ).toContain('实体声明'))
  it('with an encoding other than the declared one', async () =>
    expect(await getRefusal(Buffer.from([...Buffer.from('<svg><text>'), 0xb9, 0xe3]))).toContain(
      '编码',
    ))
  it.each(['<g>', '<g><g a="1">', '<style>'])('with too deep nesting: %s', async (tag) =>
    expect(await getRefusal(`<svg>${tag.repeat(500_000)}</svg>`)).toMatch(/嵌套太深|不完整/),
  )
  it('with too many elements', async () =>
    expect(await getRefusal(wrapInSvg('<path/>'.repeat(100_001)))).toContain('元素太多'))

  const createDoublingDrawing = (times: number, inner: (at: number) => string, extraMarkup = '') =>
    wrapInSvg(
      `${extraMarkup}${Array.from({ length: times }, (_, at) => `<g id="g${at}">${inner(at + 1).repeat(2)}</g>`).join('')}<path id="g${times}"/>`,
    )
  it.each([
    ['uses', createDoublingDrawing(30, (at) => `<use href="#g${at}"/>`)],
    ['xlink:href references', createDoublingDrawing(30, (at) => `<use xlink:href='#g${at}'/>`)],
    ['encoded names', createDoublingDrawing(30, (at) => `<use href="#%67${at}"/>`)],
    ['style attributes', createDoublingDrawing(30, (at) => `<path style="fill:url( '#g${at}')"/>`)],
    ['capitals', createDoublingDrawing(30, (at) => `<path fill="URL(#g${at})"/>`)],
    [
      'style rules',
      createDoublingDrawing(
        30,
        (at) => `<path class="c${at}"/>`,
        `<style>${Array.from({ length: 31 }, (_, at) => `svg g .c${at}{mask:url(#g${at})}`).join('')}</style>`,
      ),
    ],
    [
      'style rules at the end',
      createDoublingDrawing(30, (at) => `<path id="p${at}"/>`).replace(
        '</svg>',
        `<style>${Array.from({ length: 31 }, (_, at) => `g>[id=p${at}]{fill:url(#g${at})}`).join('')}</style></svg>`,
      ),
    ],
    [
      'variables',
      createDoublingDrawing(30, (at) => `<g style="--v:url(#g${at})"><path fill="var(--v)"/></g>`),
    ],
    [
      'ids duplicated on removed elements',
      createDoublingDrawing(
        30,
        (at) => `<use href="#g${at}"/>`,
        Array.from({ length: 30 }, (_, at) => `<foo id="g${at}"/>`).join(''),
      ),
    ],
    [
      'a chain of references',
      wrapInSvg(
        Array.from(
          { length: 5000 },
          (_, at) => `<g id="g${at}"><use href="#g${at + 1}"/></g>`,
        ).join(''),
      ),
    ],
  ])('with too many nested references by %s', async (_, svg) =>
    expect(await getRefusal(svg)).toContain('画的内容太多'),
  )
})

describe('a drawing is stripped of active, moving and external content, which is reported', () => {
  it.each([
    ['<script>alert(1)</script>', '脚本 1 处（script）'],
    ['<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>', '脚本 1 处（script）'],
    [`<g onload="alert(1)" ONCLICK="x">${visiblePath}</g>`, '事件处理 2 处（onload）'],
    [`<a href="javascript:alert(1)">${visiblePath}</a>`, '链接 1 处'],
    ['<use href="https://evil.example/x.svg#a"/>', '外部引用 1 处（https://evil.example/x.svg#a）'],
    ['<use xlink:href="//evil.example/x.svg#a"/>', '外部引用 1 处（//evil.example/x.svg#a）'],
    ['<image href="http://evil.example/a.png"/>', '外部图片 1 处（http://evil.example/a.png）'],
    [
      '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>',
      '嵌入的图片 1 处（不是 PNG、JPEG、WebP 或 GIF）',
    ],
    ['<feImage href="http://evil.example/a.png"/>', '外部引用 1 处（http://evil.example/a.png）'],
    ['<style>@import "http://evil.example";</style>', '外部样式表 1 处（@import）'],
    [
      '<?xml-stylesheet href="http://evil.example"?>',
      '外部样式表 1 处（href="http://evil.example"）',
    ],
    [
      '<image href="data:image/svg+xml;utf8,evil"/>',
      '嵌入的图片 1 处（不是 PNG、JPEG、WebP 或 GIF）',
    ],
    [
      '<style>@font-face{font-family:a;src:url(http://evil.example)}</style>',
      '字体 1 处（@font-face）',
    ],
    ['<style>@keyframes a{to{fill:red}}</style>', '动画 1 处（@keyframes）'],
    ['<style>path{animation:evil 1s}</style>', '动画 1 处（animation）'],
    [
      '<style>path{fill:u\\72l(http://evil.example/#a)}</style>',
      '外部引用 1 处（u\\72l(http://evil.example/#a)）',
    ],
    [
      '<style>path{--a:url(http://evil.example)}</style>',
      '外部引用 1 处（url(http://evil.example)）',
    ],
    [
      '<style>path{fill:image-set("evil.png" 1x)}</style>',
      '外部引用 1 处（image-set("evil.png" 1x)）',
    ],
    ['<style>@supports (d:evil){}</style>', '样式规则 1 处（@supports）'],
    ['<style>evil:hover{fill:red}</style>', '样式选择器 1 处（evil:hover）'],
    ['<style>evil{fill:red</style><path style="fill:\'evil"/>', '样式表 1 处'],
    ['<style>p{--a:var(--evil) var(--evil)}</style>', '样式变量 1 处（--a）'],
    ['<rect fill="url(http://evil.example/#a)"/>', '外部引用 1 处（url(http://evil.example/#a)）'],
    [
      '<rect style="fill:url(\'//evil.example/#a\')"/>',
      "外部引用 1 处（url('//evil.example/#a')）",
    ],
    [
      '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="http://evil.example"/></foreignObject>',
      '网页内容 1 处（foreignObject）',
    ],
    ['<rect><animate attributeName="href" to="evil"/></rect>', '动画 1 处（animate）'],
    ['<set attributeName="href" to="evil"/>', '动画 1 处（set）'],
    ['<evil/>', '元素 evil 1 处'],
    ['<rect formaction="evil"/>', '属性 formaction 1 处'],
    ['<feTurbulence numOctaves="200"/>', '属性 numOctaves 1 处（200）'],
  ])('%s', async (hostileMarkup, phrase) => {
    const { svg, omitted } = await cleanDrawing(wrapInSvg(hostileMarkup + visiblePath))
    expect(svg).toContain(visiblePath)
    expect(omitted.join().replaceAll('样式 1 处', '')).toContain(phrase)
    expect(svg).not.toMatch(
      /script|onload|onclick|evil|foreignObject|iframe|@import|@font|numOctaves|animat/i,
    )
  })
  it('an embedded picture that is truncated, or decodes to too much', async () => {
    const truncatedPng = createPng(8, 8).subarray(0, -6)
    const { svg, omitted } = await cleanDrawing(
      wrapInSvg(
        `<image href="${toDataUrl(truncatedPng)}"/><image href="${toDataUrl(createPng(9000, 9000))}"/>${visiblePath}`,
      ),
    )
    expect(svg).not.toContain('<image')
    expect(omitted).toEqual([expect.stringContaining('嵌入的图片 2 处（图片不完整')])
  })
  it('an id that browsers decode differently', async () => {
    const { svg, omitted } = await cleanDrawing(
      wrapInSvg(`<g id="g h"/><path d="M0 0" fill="url('#g%20h')"/>`),
    )
    expect(svg).toContain(visiblePath)
    expect(omitted).toEqual(["外部引用 1 处（url('#g%20h')）"])
  })
})

describe('a drawing keeps harmless content', () => {
  it.each([
    ['nested selectors', '<style>.floor g > path.wall,#a text{fill:#333;stroke-width:2px}</style>'],
    [
      'variables',
      '<style>:root{--wall:#333;--line:calc(1px + 2px)}path{fill:var(--wall,red)}</style>',
    ],
    ['media rules', '<style>@media print{path{fill:none}}</style>'],
    [
      'attribute selectors',
      '<style>[id="墙"],path:not(.a):first-child{fill:red!important}</style>',
    ],
    ['a style with an internal reference', '<path style="fill:url(#g);font-family:\'微软雅黑\'"/>'],
    ['a font name with escapes', '<text style="font-family:\'\\5B8B\\4F53\'">1</text>'],
    [
      'colours of dark mode and rotations in space',
      '<path style="fill:light-dark(#fff,var(--dark,#121212));transform:rotateX(9deg) translateZ(0)"/>',
    ],
    ['names in Chinese', '<g id="图层_1"/><use href="#图层_1"/>'],
    [
      'uses of symbols',
      '<symbol id="s" viewBox="0 0 1 1"><path d="M1 1"/></symbol><use href="#s"/>',
    ],
    [
      'gradients, patterns, masks, clips, filters, markers',
      '<linearGradient id="g" gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="#fff"/></linearGradient><radialGradient id="r" fr="1" href="#g"/><pattern id="p" patternContentUnits="userSpaceOnUse"><path d="M0 0"/></pattern><mask id="m" maskContentUnits="userSpaceOnUse"/><clipPath id="c"/><filter id="f"><feTurbulence numOctaves="2"/><feMorphology radius="2"/></filter><marker id="k" markerUnits="strokeWidth"/><rect fill="url(#p)" mask="url(#m)" clip-path="url(#c)" filter="url(#f)" marker-end="url(#k)"/>',
    ],
    [
      'text',
      '<text xml:space="preserve" font-style="italic">1 &amp; 2 &lt; 3<tspan dx="1">灯</tspan></text>',
    ],
    ['a language switch', '<switch><text systemLanguage="zh">灯</text><text>lamp</text></switch>'],
  ])('%s', async (_, inner) => {
    const { svg, omitted } = await cleanDrawing(wrapInSvg(inner + visiblePath))
    expect(omitted).toEqual([])
    expect(svg.replaceAll('&gt;', '>')).toBe(
      `<svg xmlns="http://www.w3.org/2000/svg">${inner}${visiblePath}</svg>`,
    )
  })
  it.each([
    ['image/png', createPng(8, 8)],
    ['image/jpeg', createJpeg(8, 8)],
    ['image/gif', createGif()],
  ])('an embedded picture with its real type: %s', async (type, content) => {
    const mislabelledUrl = toDataUrl(content, 'image/x').replace(/.{40}/g, '$&\n')
    const { svg, omitted } = await cleanDrawing(
      wrapInSvg(`<image width="8" xlink:href="${mislabelledUrl}"/>`),
    )
    expect(omitted).toEqual([])
    const storedContent = type === 'image/gif' ? content : (await examineHere(content)).content
    expect(svg).toContain(`<image width="8" href="${toDataUrl(storedContent, type)}"/>`)
  })
  it.each([
    [
      'with an encoded data URL',
      `data:image/png;base64,${encodeURIComponent(createPng(8, 8).toString('base64'))}`,
    ],
    ['of an unnamed type', toDataUrl(createPng(8, 8), '')],
    ['of a general type', toDataUrl(createPng(8, 8), 'application/octet-stream')],
  ])('an embedded picture %s', async (_, url) => {
    const { svg, omitted } = await cleanDrawing(wrapInSvg(`<image href="${url}"/>`))
    expect(omitted).toEqual([])
    expect(svg).toContain(`<image href="${toDataUrl(createPng(8, 8))}"/>`)
  })
  it('prefixed namespaces, while comments and metadata are dropped silently', async () =>
    expect(
      await cleanDrawing(
        `<?xml version="1.0" encoding="UTF-8"?><!-- made by --><svg:svg xmlns:svg="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" xmlns:ink="http://ink" viewBox="0 0 8 8"><ink:view zoom="1"/><svg:metadata><rdf/></svg:metadata><svg:g ink:label="墙"><svg:path id="a" d="M0 0"/><svg:use x:href="#a"/></svg:g></svg:svg>`,
      ),
    ).toEqual({
      svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><g><path id="a" d="M0 0"/><use href="#a"/></g></svg>',
      omitted: [],
    }))
  it('text without declared namespaces, in its declared encoding', async () => {
    const gbk = Buffer.concat([
      Buffer.from('<?xml version="1.0" encoding="GB2312"?><svg viewBox="0 0 8 8"><text>'),
      Buffer.from('b9e3', 'hex'),
      Buffer.from('</text><use xlink:href="#a"/></svg>'),
    ])
    expect((await cleanDrawing(gbk)).svg).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><text>广</text><use href="#a"/></svg>',
    )
  })
  it('repeated and self-referencing elements', async () => {
    const inner = '<g id="a"><use href="#a"/></g><use href="#a"/>'
    expect((await cleanDrawing(wrapInSvg(inner))).svg).toContain(inner)
  })
})

it('cleaning drawings does not block the event loop', async () => {
  const heavyDrawing = wrapInSvg('<path class="a" style="fill:red" d="M0 0h1v1z"/>'.repeat(80_000))
  const cleaning = Promise.all([
    examinePicture(Buffer.from(heavyDrawing)),
    examinePicture(Buffer.from(heavyDrawing)),
  ])
  let isOver = false
  const markOver = () => (isOver = true)
  cleaning.then(markOver, markOver)
  let loopIterations = 0
  while (!isOver) {
    await readFile(__filename)
    loopIterations++
  }
  await cleaning
  // The event loop must keep running while the picture is examined.
  expect(loopIterations).toBeGreaterThan(10)
})
it('refuses more drawings than the queue holds', async () => {
  const answers = await Promise.allSettled(
    Array.from({ length: 12 }, () => examinePicture(Buffer.from(wrapInSvg(visiblePath)))),
  )
  const refusals = answers.filter((answer) => answer.status === 'rejected')
  expect(refusals.length).toBeGreaterThan(0)
  expect(new Set(refusals.map(({ reason }) => reason.message))).toEqual(
    new Set(['正在处理的图片太多，请稍后再传']),
  )
  expect(refusals.length).toBeLessThan(answers.length)
})

describe('a photo is stored without place, camera and texts', () => {
  const secret = 'GPS 22.5431 113.9412'
  const photos: [string, Buffer][] = [
    [
      'of JPEG, also behind its end',
      createJpeg(60, 30, 1, {
        exifText: secret,
        segments: [
          [0xe1, `http://ns.adobe.com/xap/1.0/\0${secret}`],
          [0xed, `Photoshop 3.0\0${secret}`],
          [0xe2, `MPF\0${secret}`],
          [0xfe, secret],
        ],
        trailer: secret,
      }),
    ],
    [
      'of PNG',
      Buffer.concat([
        createPng(60, 30, {
          chunks: [
            ['eXIf', secret],
            ['tEXt', secret],
            ['iTXt', secret],
            ['tIME', secret],
          ],
        }),
        Buffer.from(secret),
      ]),
    ],
    ['of WebP', createWebpWithMetadata(60, 30, secret)],
  ]
  it.each(photos)('%s', async (_, photo) => {
    expect(photo.toString('latin1')).toContain(secret)
    const { content, omitted } = await examineHere(photo)
    expect(content.toString('latin1')).not.toContain(secret)
    expect(imageSize(content)).toMatchObject({ width: 60, height: 30 })
    expect(omitted).toEqual([])
    // The stored content is a complete picture, which stays as it is when it is uploaded again.
    expect((await examineHere(content)).content).toEqual(content)
  })
  it.each(photos)('%s, embedded in a drawing', async (_, photo) => {
    const image = `<image href="${toDataUrl(photo, 'image/x')}"/>`
    const { svg, omitted } = await cleanDrawing(wrapInSvg(image))
    const [, data = ''] = /base64,([^"]+)/.exec(svg) ?? []
    expect(Buffer.from(data, 'base64')).toEqual((await examineHere(photo)).content)
    expect(omitted).toEqual([])
  })
  it('with its colour profile and its orientation', async () => {
    const photo = createJpeg(60, 30, 6, { segments: [[0xe2, 'ICC_PROFILE\0profile']] })
    const { content } = await examineHere(photo)
    expect(content.toString('latin1')).toContain('ICC_PROFILE\0profile')
    expect(imageSize(content)).toMatchObject({ width: 60, height: 30, orientation: 6 })
  })
  // "II*", one entry: the orientation 6 (EXIF 2.32, 4.6.2).
  const orientation = `II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0`
  const bigEndianOrientation = `MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0`
  it.each([
    ['PNG', createPng(60, 30, { chunks: [['eXIf', orientation + secret]] })],
    ['big-endian PNG', createPng(60, 30, { chunks: [['eXIf', bigEndianOrientation + secret]] })],
    ['WebP', createWebpWithMetadata(60, 30, orientation + secret)],
  ])('with the orientation of a %s', async (_, photo) => {
    const { content } = await examineHere(photo)
    expect(content.toString('latin1')).toContain(orientation)
    expect(content.toString('latin1')).not.toContain(secret)
    expect((await examineHere(content)).content).toEqual(content)
  })
})
