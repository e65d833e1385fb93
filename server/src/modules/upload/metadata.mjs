// The file is plain JavaScript like all imports of `picture.worker.mjs`, because a worker thread starts without the
// TypeScript loader.
import { imageSize } from 'image-size'
import { crc32 } from 'node:zlib'

const orientationTag = 0x0112

/** Builds an EXIF block in TIFF format that holds the orientation alone (EXIF 2.32, 4.6.2). */
function buildOrientation(orientation) {
  const block = Buffer.from('49492a000800000001001201030001000000000000000000000000', 'hex')
  block.writeUInt16LE(orientation, 18)
  return block.subarray(0, 26)
}

/** Browsers rotate a photo by its orientation, so this is kept unless it is the usual one. */
const orUndefined = (orientation) => (orientation > 1 && orientation <= 8 ? orientation : undefined)

/** Reads the orientation from an EXIF block in TIFF format, of either byte order. */
function readOrientation(block) {
  const isLittleEndian = block.toString('latin1', 0, 4) === 'II*\0'
  if (!isLittleEndian && block.toString('latin1', 0, 4) !== 'MM\0*') return undefined
  const read = (at, bytes) => {
    if (at + bytes > block.length) return 0
    return isLittleEndian ? block.readUIntLE(at, bytes) : block.readUIntBE(at, bytes)
  }
  const directory = read(4, 4)
  for (let index = 0; index < read(directory, 2); index++) {
    const entry = directory + 2 + index * 12
    if (read(entry, 2) === orientationTag) return orUndefined(read(entry + 8, 2))
  }
  return undefined
}

const isColourProfile = (segment) => segment.toString('latin1', 4, 15) === 'ICC_PROFILE'
/** JFIF, colour profile and Adobe's colour transform decide how the picture looks; the other application data do not. */
const isKeptJpegSegment = (marker, segment) =>
  marker === 0xe0 ||
  marker === 0xee ||
  (marker === 0xe2 && isColourProfile(segment)) ||
  !((marker >= 0xe1 && marker <= 0xef) || marker === 0xfe)

/** Copies the segments up to the end marker; cameras append further pictures and places behind it (ITU T.81, B.1). */
function stripJpeg(content) {
  const parts = [content.subarray(0, 2)]
  const orientation = orUndefined(imageSize(content).orientation)
  if (orientation) {
    const exif = Buffer.concat([Buffer.from('Exif\0\0'), buildOrientation(orientation)])
    parts.push(Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif)
  }
  for (let at = 2; at + 1 < content.length;) {
    const marker = content[at + 1]
    const isData = content[at] !== 0xff
    const isBare = isData || marker <= 1 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd9)
    let end = at + (marker === 0xff ? 1 : 2)
    if (isData) {
      const next = content.indexOf(0xff, at)
      end = next < 0 ? content.length : next
    } else if (!isBare) end = at + 2 + content.readUInt16BE(at + 2)
    const segment = content.subarray(at, end)
    if (isBare || isKeptJpegSegment(marker, segment)) parts.push(segment)
    if (!isData && marker === 0xd9) break
    at = end
  }
  return Buffer.concat(parts)
}

function buildPngChunk(name, data) {
  const chunk = Buffer.alloc(data.length + 12)
  chunk.writeUInt32BE(data.length)
  chunk.write(name, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), data.length + 8)
  return chunk
}

const pngMetadata = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'])
function stripPng(content) {
  const parts = [content.subarray(0, 8)]
  for (let at = 8; at + 12 <= content.length;) {
    const end = at + 12 + content.readUInt32BE(at)
    const name = content.toString('latin1', at + 4, at + 8)
    const orientation = name === 'eXIf' && readOrientation(content.subarray(at + 8, end - 4))
    if (orientation) parts.push(buildPngChunk(name, buildOrientation(orientation)))
    else if (!pngMetadata.has(name)) parts.push(content.subarray(at, end))
    if (name === 'IEND') break
    at = end
  }
  return Buffer.concat(parts)
}

/** Flags of the header VP8X that announce EXIF and XMP (RFC 9649, 2.7.1). */
const webpExifFlag = 0x08
const webpXmpFlag = 0x04
function stripWebp(content) {
  const parts = []
  let extendedHeader
  const fileEnd = 8 + content.readUInt32LE(4)
  for (let at = 12; at + 8 <= fileEnd;) {
    const name = content.toString('latin1', at, at + 4)
    const length = content.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    const chunk = Buffer.from(content.subarray(at, end))
    if (name === 'VP8X') {
      chunk[8] &= ~(webpExifFlag | webpXmpFlag)
      extendedHeader = chunk
    }
    const orientation = name === 'EXIF' && readOrientation(chunk.subarray(8))
    if (orientation && extendedHeader) {
      extendedHeader[8] |= webpExifFlag
      const exif = buildOrientation(orientation)
      const head = Buffer.from('EXIF\0\0\0\0')
      head.writeUInt32LE(exif.length, 4)
      parts.push(head, exif)
    } else if (name !== 'EXIF' && name !== 'XMP ') parts.push(chunk)
    at = end
  }
  const body = Buffer.concat(parts)
  const header = Buffer.from(content.subarray(0, 12))
  header.writeUInt32LE(4 + body.length, 4)
  return Buffer.concat([header, body])
}

const strippers = { 'image/jpeg': stripJpeg, 'image/png': stripPng, 'image/webp': stripWebp }

/**
 * Returns a complete raster picture without place, camera, texts and thumbnails. Its pixels, colours and orientation
 * stay; a GIF has no such data that cameras write.
 */
export const stripMetadata = (type, content) => strippers[type]?.(content) ?? content
