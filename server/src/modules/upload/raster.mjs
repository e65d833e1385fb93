// The file is plain JavaScript like all imports of `picture.worker.mjs`, because a worker thread starts without the
// TypeScript loader.
import { crc32 } from 'node:zlib'

const beginsWith = (content, hex, at = 0) =>
  content.subarray(at, at + hex.length / 2).toString('hex') === hex

/** Returns the media type of a raster picture by its first bytes; the file name does not matter. */
export function detectRasterType(content) {
  if (beginsWith(content, '89504e470d0a1a0a')) return 'image/png'
  if (beginsWith(content, 'ffd8ff')) return 'image/jpeg'
  if (beginsWith(content, '52494646') && beginsWith(content, '57454250', 8)) return 'image/webp'
  if (beginsWith(content, '47494638')) return 'image/gif'
  return undefined
}

/** Returns whether all chunks up to the end chunk are present with the right checksum (PNG specification, 5.3). */
function isWholePng(content) {
  let hasData = false
  for (let at = 8; at + 12 <= content.length;) {
    const length = content.readUInt32BE(at)
    const end = at + 12 + length
    if (end > content.length) return false
    if (crc32(content.subarray(at + 4, end - 4)) !== content.readUInt32BE(end - 4)) return false
    const name = content.toString('latin1', at + 4, at + 8)
    if (name === 'IDAT') hasData = true
    if (name === 'IEND') return hasData
    at = end
  }
  return false
}

/**
 * Returns whether a scan and the end marker are present. Segments are skipped by length, because a thumbnail in one has
 * an end marker of its own (ITU T.81, B.1).
 */
function isWholeJpeg(content) {
  let hasScan = false
  let at = 2
  while (at + 1 < content.length) {
    if (content[at] !== 0xff) {
      if (!hasScan) return false
      // Bytes of a scan that are no marker are picture data.
      at = content.indexOf(0xff, at)
      if (at < 0) return false
      continue
    }
    const marker = content[at + 1]
    if (marker === 0xd9) return hasScan
    if (marker === 0xff) at += 1
    else if (marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd7)) at += 2
    else {
      if (at + 4 > content.length) return false
      at += 2 + content.readUInt16BE(at + 2)
      if (marker === 0xda) hasScan = true
    }
  }
  return false
}

/** Returns whether the chunks fill the length of the header and one of them holds a picture. */
function isWholeWebp(content) {
  const end = 8 + content.readUInt32LE(4)
  if (end > content.length) return false
  let hasPicture = false
  let at = 12
  while (at + 8 <= end) {
    const name = content.toString('latin1', at, at + 4)
    const length = content.readUInt32LE(at + 4)
    if (at + 8 + length > end) return false
    if (name === 'VP8 ' || name === 'VP8L' || name === 'ANMF') hasPicture = true
    at += 8 + length + (length % 2)
  }
  return hasPicture
}

/** Returns whether the blocks reach the trailer (GIF89a, 27). */
function isWholeGif(content) {
  const tableBytes = (packed) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)
  const skipBlocks = (from) => {
    let at = from
    while (at < content.length && content[at] !== 0) at += content[at] + 1
    return at + 1
  }
  let hasPicture = false
  let at = 13 + tableBytes(content[10] ?? 0)
  while (at < content.length) {
    if (content[at] === 0x3b) return hasPicture
    if (content[at] === 0x21) at = skipBlocks(at + 2)
    else if (content[at] === 0x2c) {
      hasPicture = true
      at = skipBlocks(at + 11 + tableBytes(content[at + 9] ?? 0))
    } else return false
  }
  return false
}

const checks = {
  'image/png': isWholePng,
  'image/jpeg': isWholeJpeg,
  'image/webp': isWholeWebp,
  'image/gif': isWholeGif,
}

/** Returns whether the picture is complete; a browser shows the missing part of a truncated one in grey. */
export const isWholeRaster = (type, content) => content.length > 12 && checks[type](content)
