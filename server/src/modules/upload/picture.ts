import { uploadLimits } from '@iot/shared/contract/upload'
import { imageSize } from 'image-size'
import sanitize from 'sanitize-html'
import { drawnParts, partNamed } from './drawnParts'
import { drawnStyle } from './drawnStyle'

/** What the bytes are, whatever the name says. */
export function typeOf(content: Buffer): string | undefined {
  const begins = (hex: string, at = 0) =>
    content.subarray(at, at + hex.length / 2).toString('hex') === hex
  if (begins('89504e470d0a1a0a')) return 'image/png'
  if (begins('ffd8ff')) return 'image/jpeg'
  if (begins('52494646') && begins('57454250', 8)) return 'image/webp'
  const text = content
    .subarray(0, 4096)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/<\?xml[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*>/gi, '')
  return /^\s*<svg[\s>]/i.test(text) ? 'image/svg+xml' : undefined
}

/** What CAD programs keep: DXF as text or binary, DWG. */
export const isDrawing = (content: Buffer) =>
  /^(AutoCAD Binary DXF|AC10\d\d|\s*(999\s[^\n]*\n\s*)?0\s+SECTION)/.test(
    content.subarray(0, 512).toString('latin1'),
  )

/** Illustrator writes them into what it wants to edit again. */
export const declaresEntities = (content: Buffer) =>
  /<!DOCTYPE\s+svg[^>[]*\[/i.test(content.subarray(0, 4096).toString('utf8'))

/** Why this picture is not kept, by what its head says: decoded, a small file may need gigabytes. */
export function refuseSize(content: Buffer): string | undefined {
  const { side, pixels } = uploadLimits
  try {
    const { width, height } = imageSize(content)
    if (!width || !height) return '图片无法识别'
    return Math.max(width, height) > side || width * height > pixels
      ? `图片太大（${width}×${height}），边长最多 ${side}，总共最多 ${pixels / 10_000} 万像素`
      : undefined
  } catch {
    return '图片无法识别'
  }
}

const shapes = [
  'svg',
  'g',
  'defs',
  'symbol',
  'use',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'text',
  'tspan',
  'title',
  'desc',
  'clipPath',
  'mask',
  'pattern',
  'linearGradient',
  'radialGradient',
  'stop',
  'marker',
  'filter',
  'feGaussianBlur',
  'feOffset',
  'feBlend',
  'feColorMatrix',
  'feFlood',
  'feComposite',
  'feMerge',
  'feMergeNode',
  'feDropShadow',
]
const attributes =
  'id class x y x1 y1 x2 y2 cx cy r rx ry d dx dy fx fy width height viewBox xmlns xmlns:xlink version preserveAspectRatio points pathLength transform fill fill-* stroke stroke-* opacity color display visibility overflow clip-path clip-rule mask filter marker-* offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod patternUnits patternTransform patternContentUnits maskUnits clipPathUnits filterUnits markerWidth markerHeight refX refY orient text-anchor dominant-baseline font-family font-size font-weight letter-spacing stdDeviation in in2 result mode type values operator flood-color flood-opacity'.split(
    ' ',
  )

/** Elements within elements: what cleans a drawing takes the square of their number. */
const deepest = 1000
class TooMuch extends Error {}

/** A drawing without scripts, style sheets, foreign elements and references to anything outside itself; nothing if none is left. */
export function cleanSvg(content: Buffer): Buffer | undefined {
  try {
    return drawingOf(content.toString('utf8'))
  } catch (error) {
    if (error instanceof TooMuch) return undefined
    throw error
  }
}

function drawingOf(svg: string) {
  const styled = drawnStyle(svg)
  const parts = drawnParts()
  let open = 0
  const clean = sanitize(svg, {
    onOpenTag() {
      if (++open > deepest) throw new TooMuch()
      parts.open()
    },
    onCloseTag() {
      open--
      parts.close()
    },
    allowedTags: shapes,
    allowedAttributes: {
      '*': attributes,
      use: ['href', 'xlink:href'],
      linearGradient: ['href', 'xlink:href'],
      radialGradient: ['href', 'xlink:href'],
    },
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
    // A style element's text would be drawn as letters, or worse.
    nonTextTags: [
      'script',
      'style',
      'textarea',
      'option',
      'noscript',
      'foreignObject',
      'iframe',
      'image',
      'animate',
      'set',
    ],
    transformTags: {
      '*': (tagName, given) => {
        const kept = Object.entries(styled(tagName, given)).filter(([name, value]) =>
          name.endsWith('href')
            ? /^#[\w-]+$/.test(value)
            : !/url\(|javascript:|data:|\\/i.test(value.replace(partNamed, '')),
        )
        const attribs = Object.fromEntries(kept)
        // What is not kept has no name.
        if (shapes.includes(tagName)) parts.looks(attribs)
        return { tagName, attribs }
      },
    },
  }).trim()
  if (parts.isTooMuch()) throw new TooMuch()
  if (!/^<svg[\s>]/.test(clean)) return undefined
  const named = clean.includes('xmlns="')
    ? clean
    : clean.replace(/^<svg/, '<svg xmlns="http://www.w3.org/2000/svg"')
  return Buffer.from(named)
}
