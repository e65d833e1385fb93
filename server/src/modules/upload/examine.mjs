// The file is plain JavaScript like all imports of `picture.worker.mjs`, because a worker thread starts without the
// TypeScript loader.
import { imageSize } from 'image-size'
import { stripMetadata } from './metadata.mjs'
import { detectRasterType, isWholeRaster } from './raster.mjs'

/**
 * Decodes the text by its byte order mark or XML declaration; the default is UTF-8 (XML 1.0, 4.3.3). Returns undefined
 * if the bytes are invalid in that encoding.
 */
function decodeText(content) {
  const [, declared = 'utf-8'] =
    /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(content.toString('latin1', 0, 200)) ??
    []
  const mark = content.toString('hex', 0, 2)
  const encoding = { fffe: 'utf-16le', feff: 'utf-16be' }[mark] ?? declared
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content)
  } catch {
    return undefined
  }
}

/** Recognises files of CAD programs: DXF as text or binary, and DWG. */
const isCadDrawing = (content) =>
  /^(AutoCAD Binary DXF|AC10\d\d|\s*(999\s[^\n]*\n\s*)?0\s+SECTION)/.test(
    content.subarray(0, 512).toString('latin1'),
  )
/** Illustrator writes entity declarations into drawings that it can edit again. */
const declaresEntities = (head) => /<!DOCTYPE\s+(\w+:)?svg[^>[]*\[/i.test(head)
const isSvg = (head) =>
  /^\s*<(\w+:)?svg[\s>/]/i.test(
    head.replace(/<\?xml[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*>/gi, ''),
  )

/** Returns width and height as a browser shows the picture, which rotates a photo by its EXIF orientation. */
function measure(picture) {
  try {
    const { width, height, orientation = 1 } = imageSize(picture)
    if (width && height) return orientation >= 5 ? [height, width] : [width, height]
  } catch {
    // The caller refuses a picture without a size.
  }
  return undefined
}

/**
 * Returns why a raster picture is refused; its size is limited because a small file may need gigabytes when decoded.
 */
function refuseRaster(picture, type, limits) {
  const size = measure(picture)
  if (!size) return '图片无法识别'
  const [width, height] = size
  if (Math.max(width, height) > limits.side || width * height > limits.pixels)
    return `图片太大（${width}×${height}），边长最多 ${limits.side}，总共最多 ${limits.pixels / 10_000} 万像素`
  return isWholeRaster(type, picture)
    ? undefined
    : '图片不完整，后面的内容缺失或已损坏，请重新导出再上传'
}

export async function examine(content, limits) {
  const type = detectRasterType(content)
  if (type && type !== 'image/gif') {
    const refusal = refuseRaster(content, type, limits)
    return refusal ? { refusal } : { type, content: stripMetadata(type, content), omitted: [] }
  }
  const text = decodeText(content)
  const head = (text ?? content.toString('latin1', 0, 4096)).slice(0, 4096)
  if (isCadDrawing(content))
    return { refusal: '不支持 CAD 图纸（DXF、DWG），请在 CAD 里把它导出为 SVG 再上传' }
  if (declaresEntities(head))
    return {
      refusal:
        '这个 SVG 带有实体声明（<!ENTITY>），请另存一次再上传；用 Illustrator 时不要勾选“保留 Illustrator 编辑功能”',
    }
  if (!isSvg(head)) return { refusal: '只支持 SVG、PNG、JPEG 和 WebP 图片' }
  if (text === undefined)
    return { refusal: 'SVG 里的文字不是它声明的编码，请用 UTF-8 编码另存后再上传' }
  // Photos are the most frequent, and the parsers of drawings take longer to load than a photo to be examined.
  const { cleanSvg, DrawingRefusal } = await import('./svg.mjs')
  try {
    return { type: 'image/svg+xml', ...cleanSvg(text, createEmbeddedCheck(limits)) }
  } catch (error) {
    if (error instanceof DrawingRefusal) return { refusal: error.message }
    throw error
  }
}

/** A browser decodes all pictures of a drawing when it shows it, so together they share the pixel limit of one. */
function createEmbeddedCheck(limits) {
  let pixels = 0
  return (picture, type) => {
    const refusal = refuseRaster(picture, type, limits)
    if (refusal) return refusal
    const [width, height] = measure(picture)
    pixels += width * height
    return pixels > limits.pixels
      ? `嵌入的图片合计超过 ${limits.pixels / 10_000} 万像素`
      : undefined
  }
}
