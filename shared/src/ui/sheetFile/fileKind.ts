/** Thrown for an unreadable file; the message names its kind and a remedy. */
export class UnreadableFile extends Error {}

const again = '请在 Excel 或 WPS 里另存为 .xlsx'
const notTable = '请选择 .xlsx 或 .csv 表格'

const startsWith = (bytes: Uint8Array, ...start: number[]) =>
  start.every((byte, i) => bytes[i] === byte)
const ascii = (bytes: Uint8Array, from = 0, to = 64) =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)))

const pictures: [string, (bytes: Uint8Array) => boolean][] = [
  ['JPEG 图片', (bytes) => startsWith(bytes, 0xff, 0xd8, 0xff)],
  ['PNG 图片', (bytes) => startsWith(bytes, 0x89, 0x50, 0x4e, 0x47)],
  ['GIF 图片', (bytes) => ascii(bytes, 0, 4) === 'GIF8'],
  ['WebP 图片', (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP'],
  [
    'TIFF 图片',
    (bytes) => startsWith(bytes, 0x49, 0x49, 0x2a, 0) || startsWith(bytes, 0x4d, 0x4d, 0, 0x2a),
  ],
  ['HEIC 图片', (bytes) => ascii(bytes, 4, 8) === 'ftyp' && /^(hei|mif)/.test(ascii(bytes, 8, 12))],
  ['视频', (bytes) => ascii(bytes, 4, 8) === 'ftyp'],
  ['PDF', (bytes) => ascii(bytes, 0, 1024).includes('%PDF-')],
  ['RAR 压缩包', (bytes) => ascii(bytes, 0, 4) === 'Rar!'],
  ['7z 压缩包', (bytes) => startsWith(bytes, 0x37, 0x7a, 0xbc, 0xaf)],
  ['gzip 压缩包', (bytes) => startsWith(bytes, 0x1f, 0x8b)],
  ['SQLite 数据库', (bytes) => ascii(bytes, 0, 6) === 'SQLite'],
  ['程序', (bytes) => ascii(bytes, 0, 2) === 'MZ' || ascii(bytes, 1, 4) === 'ELF'],
]

/**
 * Returns if the content of a file is a zip (a workbook) or text (a .csv); file names are not trusted.
 * @throws UnreadableFile with the actual kind of the file
 */
export function assertReadable(bytes: Uint8Array, name: string): 'zip' | 'text' {
  if (bytes.length === 0) throw new UnreadableFile('文件是空的')
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) return 'zip'
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) throw new UnreadableFile(oleReason(bytes, name))
  const other = pictures.find(([, matches]) => matches(bytes))
  if (other) throw new UnreadableFile(`这是${other[0]}，不是表格。${notTable}`)
  if (startsWith(bytes, 0x42, 0x4d) && bytes.includes(0))
    throw new UnreadableFile(`这是 BMP 图片，不是表格。${notTable}`)
  // Old Excel files begin with a BIFF2–4 record instead of the compound file header.
  if (bytes[0] === 0x09 && [0, 2, 4].includes(bytes[1]!) && bytes.subarray(0, 16).includes(0))
    throw new UnreadableFile(`这是旧版 Excel（.xls），${again}`)
  return 'text'
}

/** Returns the reason for a compound file; the names of its streams are UTF-16. */
function oleReason(bytes: Uint8Array, name: string) {
  const has = (stream: string) => {
    const wanted = [...stream].flatMap((letter) => [letter.charCodeAt(0), 0])
    for (let at = bytes.indexOf(wanted[0]!); at >= 0; at = bytes.indexOf(wanted[0]!, at + 1))
      if (wanted.every((byte, i) => bytes[at + i] === byte)) return true
    return false
  }
  if (has('EncryptedPackage')) return '这个文件有打开密码，请取消密码后另存为 .xlsx'
  if (/\.ett?$/i.test(name)) return '这是 WPS 表格（.et），请在 WPS 里另存为 .xlsx'
  if (has('WordDocument')) return `这是旧版 Word 文档（.doc），不是表格。${notTable}`
  if (has('PowerPoint Document')) return `这是旧版 PPT（.ppt），不是表格。${notTable}`
  return '这是旧版 Excel（.xls），请另存为 .xlsx'
}

/**
 * Refuses a zip that is no .xlsx, judged by the names of its parts.
 * @throws UnreadableFile
 */
export function assertWorkbook(names: string[]) {
  const has = (start: string) => names.some((name) => name.startsWith(start))
  const refuse = (reason: string) => {
    throw new UnreadableFile(reason)
  }
  if (has('xl/workbook.bin')) refuse(`这是二进制工作簿（.xlsb），${again}`)
  if (has('xl/vbaProject.bin')) refuse('这是带宏的工作簿（.xlsm），请另存为 .xlsx')
  if (has('xl/')) return
  if (has('Index/') || has('Index.zip'))
    refuse('这是 Numbers 表格（.numbers），请在 Numbers 里导出为 Excel')
  if (has('word/')) refuse(`这是 Word 文档，不是表格。${notTable}`)
  if (has('ppt/')) refuse(`这是 PPT，不是表格。${notTable}`)
  if (has('content.xml')) refuse(`这是 OpenDocument 文件（.ods），${again}`)
  refuse(`这是 ZIP 压缩包，不是表格。请先解压，再选择里面的 .xlsx 或 .csv`)
}
