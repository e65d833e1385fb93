import { crc32, deflateSync } from 'node:zlib'

const chunk = (name: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** Creates a complete PNG; `bytes` pads it to that length, `more` changes its hash. */
export function createPng(
  width: number,
  height: number,
  { bytes = 0, more = '', chunks = [] as [name: string, text: string][] } = {},
) {
  const header = Buffer.from('00000000000000000800000000', 'hex')
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const build = (padding: Buffer) =>
    Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', header),
      ...chunks.map(([name, text]) => chunk(name, Buffer.from(text))),
      chunk('teSt', padding),
      chunk('IDAT', deflateSync(Buffer.alloc(8))),
      chunk('IEND', Buffer.alloc(0)),
    ])
  const minLength = build(Buffer.from(more)).length
  return build(Buffer.from(more.padEnd(more.length + Math.max(0, bytes - minLength), ' ')))
}

/** Creates a complete JPEG with an EXIF orientation from 1 to 8. The options add private data that an upload must remove. */
export function createJpeg(
  width: number,
  height: number,
  orientation = 1,
  { exifText = '', segments = [] as [marker: number, text: string][], trailer = '' } = {},
) {
  const exif = Buffer.from(
    `45786966000049492a000800000001001201030001000000${orientation.toString(16).padStart(2, '0')}00000000000000`,
    'hex',
  )
  const frame = Buffer.from('08000000000101110000', 'hex')
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  const segment = (marker: number, data: Buffer) =>
    Buffer.concat([Buffer.from([0xff, marker, 0, data.length + 2]), data])
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    segment(0xe1, Buffer.concat([exif, Buffer.from(exifText)])),
    ...segments.map(([marker, text]) => segment(marker, Buffer.from(text))),
    // A quantisation table precedes the frame in every picture (ITU T.81, B.2.4.1).
    segment(0xdb, Buffer.alloc(65, 1).fill(0, 0, 1)),
    segment(0xc0, frame.subarray(0, 9)),
    segment(0xda, Buffer.from('0101003f00', 'hex')),
    Buffer.from('123456ff00789affd9', 'hex'),
    Buffer.from(trailer),
  ])
}

/** Creates a complete WebP with the EXIF and XMP that are given as text. */
export function createWebpWithMetadata(width: number, height: number, text: string) {
  const riffChunk = (name: string, data: Buffer) => {
    const head = Buffer.from(`${name}\0\0\0\0`)
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
  }
  const extended = Buffer.from('0c000000000000000000', 'hex')
  extended.writeUIntLE(width - 1, 4, 3)
  extended.writeUIntLE(height - 1, 7, 3)
  const body = Buffer.concat([
    riffChunk('VP8X', extended),
    createWebp(width, height).subarray(12),
    riffChunk('EXIF', Buffer.from(text)),
    riffChunk('XMP ', Buffer.from(text)),
  ])
  const header = Buffer.from('RIFF\0\0\0\0WEBP')
  header.writeUInt32LE(4 + body.length, 4)
  return Buffer.concat([header, body])
}

/** Creates a complete lossless WebP. */
export function createWebp(width: number, height: number) {
  const picture = Buffer.from('2f00000000000000', 'hex')
  picture.writeUInt32LE(((height - 1) << 14) | (width - 1), 1)
  const header = Buffer.from('524946460000000057454250 5650384c08000000'.replace(' ', ''), 'hex')
  header.writeUInt32LE(4 + 8 + picture.length, 4)
  return Buffer.concat([header, picture])
}

/** Creates a complete GIF of one pixel. */
export const createGif = () =>
  Buffer.from('47494638396101000100800000ffffff0000002c00000000010001000002024401003b', 'hex')
