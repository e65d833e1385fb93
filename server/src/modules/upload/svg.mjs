import { SaxesParser } from 'saxes'
import { createDrawnParts } from './drawnParts.mjs'
import { stripMetadata } from './metadata.mjs'
import { detectRasterType } from './raster.mjs'
import { createStyleReader, readFragment, readValue, variableKey } from './styles.mjs'

const maxElements = 100_000
const maxDepth = 256
/** Maximum number of shapes, each counted as often as it is rendered; more would block a browser for long. */
const maxDrawn = 500_000
/** At most this many kinds of removed content are reported. */
const maxOmittedKinds = 20

const svgNamespace = 'http://www.w3.org/2000/svg'
const xlinkNamespace = 'http://www.w3.org/1999/xlink'
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'
const xhtmlNamespace = 'http://www.w3.org/1999/xhtml'

const wordsOf = (text) => new Set(text.split(/\s+/))
const shapes = wordsOf('path rect circle ellipse line polyline polygon text use image')
const elements = wordsOf(
  `svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc switch image
  clipPath mask pattern linearGradient radialGradient stop marker filter feBlend feColorMatrix feComponentTransfer
  feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB
  feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting
  feSpotLight feTile feTurbulence`,
)
const attributes = wordsOf(
  `id class x y x1 y1 x2 y2 cx cy r rx ry fr d dx dy fx fy width height viewBox version preserveAspectRatio points
  pathLength transform transform-origin fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap
  stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color display visibility overflow clip
  clip-path clip-rule mask mask-type filter marker marker-start marker-mid marker-end offset stop-color stop-opacity
  gradientUnits gradientTransform spreadMethod patternUnits patternTransform patternContentUnits maskUnits
  maskContentUnits clipPathUnits filterUnits primitiveUnits markerUnits markerWidth markerHeight refX refY orient
  text-anchor dominant-baseline alignment-baseline baseline-shift font font-family font-size font-size-adjust
  font-stretch font-style font-variant font-weight letter-spacing word-spacing text-decoration writing-mode direction
  unicode-bidi glyph-orientation-vertical glyph-orientation-horizontal rotate textLength lengthAdjust startOffset method
  spacing side vector-effect paint-order shape-rendering text-rendering image-rendering color-rendering
  color-interpolation color-interpolation-filters stdDeviation in in2 result mode type values operator flood-color
  flood-opacity lighting-color k1 k2 k3 k4 order kernelMatrix divisor bias targetX targetY edgeMode preserveAlpha
  kernelUnitLength surfaceScale diffuseConstant specularConstant specularExponent limitingConeAngle azimuth elevation z
  pointsAtX pointsAtY pointsAtZ scale xChannelSelector yChannelSelector radius baseFrequency numOctaves seed
  stitchTiles tableValues slope intercept amplitude exponent systemLanguage requiredFeatures requiredExtensions lang
  role tabindex focusable pointer-events`,
)
/** Attributes of the file or its program that do not affect the rendering. */
const idleAttributes = wordsOf(
  'baseProfile zoomAndPan contentScriptType contentStyleType enable-background xmlns',
)
/** Limits of filter parameters, which cost time for each pixel; higher values take seconds. */
const maxNumbers = { numOctaves: 10, order: 15, radius: 200 }

const omittedElements = {
  script: '脚本',
  handler: '脚本',
  foreignObject: '网页内容',
  iframe: '网页内容',
  audio: '网页内容',
  video: '网页内容',
  animate: '动画',
  animateColor: '动画',
  animateMotion: '动画',
  animateTransform: '动画',
  set: '动画',
  discard: '动画',
  mpath: '动画',
  font: '字体',
  'font-face': '字体',
  glyph: '字体',
}

/** Reason why a drawing is refused; the message is shown to the user who uploads it. */
export class DrawingRefusal extends Error {}

const decodePercent = (text) =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
const escapeText = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const escapeAttribute = (text) =>
  escapeText(text)
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;')
    .replaceAll('\r', '&#13;')

/** Counts removed content by kind, with the first example of each. */
function createOmissions() {
  const kinds = new Map()
  return {
    omit(kind, example = '') {
      const known = kinds.get(kind)
      if (known) known.count++
      else if (kinds.size < maxOmittedKinds)
        kinds.set(kind, { count: 1, example: example.trim().replace(/\s+/g, ' ').slice(0, 60) })
    },
    list: () =>
      [...kinds].map(
        ([kind, { count, example }]) => `${kind} ${count} 处${example && `（${example}）`}`,
      ),
  }
}

/**
 * Returns a drawing without scripts, animations and external content: `{ content, omitted }`. Everything that draws is
 * kept, and namespace prefixes are removed. `checkRaster(bytes, type)` returns why an embedded picture is removed.
 * @throws {DrawingRefusal} if the drawing is too large, too deep, invalid or empty
 */
export function cleanSvg(text, checkRaster) {
  const { omit, list } = createOmissions()
  const parts = createDrawnParts()
  const styles = createStyleReader(omit, parts)
  const output = []
  const open = []
  let elementCount = 0
  let shapeCount = 0
  /** Depth within a removed element; 0 outside of one. */
  let skipped = 0
  let sheet

  function readImage(href) {
    if (!/^data:/i.test(href)) return { omit: '外部图片' }
    const [, data = ''] = /^data:[^,]*;base64,([\s\S]*)$/i.exec(href) ?? []
    const bytes = Buffer.from(decodePercent(data), 'base64')
    const type = detectRasterType(bytes)
    const why = type ? checkRaster(bytes, type) : '不是 PNG、JPEG、WebP 或 GIF'
    return why
      ? { omit: '嵌入的图片', example: why }
      : { value: `data:${type};base64,${stripMetadata(type, bytes).toString('base64')}` }
  }

  /** Resolves `href` to an element of the drawing or to an embedded picture. */
  function readHref(name, href) {
    const id = href.startsWith('#') ? readFragment(href.slice(1)) : undefined
    if (id !== undefined && name !== 'image') return { value: `#${id}`, references: [id] }
    if (name === 'image' || (name === 'feImage' && /^data:/i.test(href))) return readImage(href)
    return { omit: '外部引用' }
  }

  function keepAttribute(name, attribute, kept) {
    const { local, prefix, uri, value } = attribute
    const isHref = local === 'href' && (prefix === '' || uri === xlinkNamespace)
    if (isHref) {
      if (name === 'g' || (kept.href && prefix !== '')) return
      const href = value.trim()
      const read = readHref(name, href)
      if (read.omit) return omit(read.omit, read.example ?? href)
      kept.href = read.value
      kept.references.push(...(read.references ?? []))
    } else if (uri === xmlNamespace) {
      if (local === 'space' || local === 'lang') kept.attributes.push([`xml:${local}`, value])
    } else if (prefix !== '' || idleAttributes.has(local)) return
    else if (/^on/i.test(local)) omit('事件处理', local)
    else if (local === 'style') {
      const { css, references, usesVariable } = styles.readAttribute(value)
      if (css) kept.attributes.push(['style', css])
      kept.references.push(...references)
      if (usesVariable) kept.keys.push(variableKey)
    } else if (/^(data|aria)-/.test(local)) kept.attributes.push([local, value])
    else if (!attributes.has(local)) omit(`属性 ${local}`)
    else if (value.split(/[\s,]+/).some((number) => Number(number) > maxNumbers[local]))
      omit(`属性 ${local}`, value)
    else keepValue(local, value, kept)
  }

  function keepValue(local, value, kept) {
    if (local === 'id') kept.id = value
    if (local === 'class') kept.keys.push(...value.split(/\s+/).map((word) => `.${word}`))
    // These attributes hold plain text, so a browser does not evaluate functions in them.
    const isText = local === 'id' || local === 'class'
    const read = isText || !/[(\\]/.test(value) ? { value } : readValue(value)
    if (read.omit) return omit(read.omit, read.example)
    kept.attributes.push([local, read.value])
    kept.references.push(...(read.references ?? []))
    if (read.usesVariable) kept.keys.push(variableKey)
  }

  /** Returns the name of an element in the output, or undefined if it is removed. */
  function nameElement({ uri, local }) {
    if (uri === xhtmlNamespace) return void omit(local === 'script' ? '脚本' : '网页内容', local)
    // Elements of other namespaces hold what programs need to edit the drawing again.
    if ((uri !== svgNamespace && uri !== '') || local === 'metadata') return undefined
    if (local === 'a') {
      omit('链接')
      return 'g'
    }
    if (elements.has(local)) return local
    const kind = Object.hasOwn(omittedElements, local) ? omittedElements[local] : undefined
    omit(kind ?? `元素 ${local}`, kind && local)
    return undefined
  }

  function openElement(tag) {
    if (++elementCount > maxElements)
      throw new DrawingRefusal(
        `SVG 里的元素太多，最多 ${maxElements / 10_000} 万个，请简化后再上传`,
      )
    if (open.length >= maxDepth)
      throw new DrawingRefusal(`SVG 里的元素嵌套太深，最多 ${maxDepth} 层，请简化后再上传`)
    const isSheet = tag.local === 'style' && (tag.uri === svgNamespace || tag.uri === '')
    if (skipped > 0) skipped++
    else if (isSheet) {
      skipped = 1
      sheet = { css: '', type: tag.attributes.type?.value, media: tag.attributes.media?.value }
    } else {
      const name = nameElement(tag)
      if (name === undefined || !writeElement(name, tag)) skipped = 1
      if (open.length === 0 && skipped > 0) throw new DrawingRefusal('文件的根元素不是 svg')
    }
    open.push(skipped > 0 ? undefined : tag.local)
  }

  function writeElement(name, tag) {
    const kept = {
      attributes: [],
      references: [],
      keys: [tag.local],
      id: undefined,
      href: undefined,
    }
    for (const attribute of Object.values(tag.attributes)) keepAttribute(name, attribute, kept)
    // The element would draw nothing without a target.
    if (['use', 'image', 'feImage'].includes(name) && !kept.href) return false
    if (kept.href) kept.attributes.push(['href', kept.href])
    if (kept.id) kept.keys.push(`#${kept.id}`)
    if (open.length === 0) kept.attributes.unshift(['xmlns', svgNamespace])
    const written = kept.attributes.map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`)
    output.push(`<${name}${written.join('')}${tag.isSelfClosing ? '/>' : '>'}`)
    parts.open(kept)
    if (shapes.has(name)) shapeCount++
    return true
  }

  function closeElement(tag) {
    open.pop()
    if (skipped > 0) {
      if (--skipped === 0 && sheet) writeSheet()
      return
    }
    parts.close()
    if (!tag.isSelfClosing) output.push(`</${tag.local === 'a' ? 'g' : tag.local}>`)
  }

  function writeSheet() {
    const { css, type = 'text/css', media = '' } = sheet
    sheet = undefined
    if (!/^\s*text\/css\s*$/i.test(type) || !/^[\w\s():.,<>=/-]*$/.test(media)) {
      omit('样式表', type)
      return
    }
    const kept = styles.readSheet(css)
    const condition = media.trim() ? ` media="${escapeAttribute(media)}"` : ''
    if (kept) output.push(`<style${condition}>${escapeText(kept)}</style>`)
  }

  function addText(text) {
    if (sheet) sheet.css += text
    else if (skipped === 0 && open.length > 0) output.push(escapeText(text))
  }

  function readInstruction({ target, body }) {
    if (target === 'xml-stylesheet') omit('外部样式表', body)
  }

  parse(text, { openElement, closeElement, addText, readInstruction })
  styles.finish()
  if (shapeCount === 0) {
    const removed = list().join('、')
    throw new DrawingRefusal(`SVG 里没有可以显示的内容${removed && `，去掉了${removed}`}`)
  }
  if (parts.count() > maxDrawn)
    throw new DrawingRefusal('SVG 画的内容太多：重复引用的图形展开后超过 50 万个，请简化后再上传')
  return { content: Buffer.from(output.join('')), omitted: list() }
}

function parse(text, { openElement, closeElement, addText, readInstruction }) {
  const parser = new SaxesParser({
    xmlns: true,
    // Many programs use these prefixes without declaring them.
    additionalNamespaces: { svg: svgNamespace, xlink: xlinkNamespace },
  })
  parser.on('error', (error) => {
    const [, line, column] = /^(\d+):(\d+)/.exec(error.message) ?? []
    // Unknown prefixes belong to other programs, and their elements are removed.
    if (/unbound namespace prefix/.test(error.message)) return
    throw new DrawingRefusal(
      `SVG 文件不完整或有错（第 ${line ?? 1} 行第 ${column ?? 1} 列），请重新导出再上传`,
    )
  })
  parser.on('opentag', openElement)
  parser.on('closetag', closeElement)
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('processinginstruction', readInstruction)
  parser.write(text).close()
}
