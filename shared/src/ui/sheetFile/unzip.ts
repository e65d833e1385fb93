import { unzipSync, type UnzipFileInfo } from 'fflate'
import { assertWorkbook, UnreadableFile } from './fileKind'

/** Limits the unpacked size in bytes, above any table that an import accepts; a larger one must be a zip bomb. */
const maxUnzippedBytes = 100 * 1024 * 1024

/**
 * Opens the parts of a workbook. A part is unpacked on demand and only to its declared size, which is limited, so that
 * no file can exhaust the memory.
 * @throws UnreadableFile if the zip is no workbook, too large or broken
 */
export function openWorkbook(zip: Uint8Array) {
  const sizes = new Map<string, number>()
  unzipWith(zip, ({ name, originalSize }) => (sizes.set(name, originalSize), false))
  assertWorkbook([...sizes.keys()])
  let unzippedBytes = 0
  return {
    hasPictures: [...sizes.keys()].some((name) => /^xl\/(?:media\/|cellimages)/i.test(name)),
    /** Returns the text of a part; undefined if it does not exist. */
    readPart(path: string): string | undefined {
      const size = sizes.get(path)
      if (size === undefined) return undefined
      unzippedBytes += size
      if (unzippedBytes > maxUnzippedBytes)
        throw new UnreadableFile('文件展开后太大，请删去多余的内容或分成几个文件')
      const bytes = unzipWith(zip, ({ name }) => name === path)[path]!
      const isUtf16 =
        (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
      const encoding = isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
      return new TextDecoder(encoding).decode(bytes)
    },
  }
}

function unzipWith(zip: Uint8Array, filter: (file: UnzipFileInfo) => boolean) {
  try {
    return unzipSync(zip, { filter })
  } catch {
    throw new UnreadableFile('文件已损坏，读不出来')
  }
}
