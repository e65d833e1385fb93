/** Thrown for an unreadable file; the message names its kind and a remedy. */
export class UnreadableFile extends Error {}

const saveAsXlsxHint = '请在 Excel 或 WPS 里另存为 .xlsx'
const chooseTableHint = '请选择 .xlsx 或 .csv 表格'

const startsWith = (bytes: Uint8Array, ...start: number[]) =>
  start.every((byte, i) => bytes[i] === byte)
const readAscii = (bytes: Uint8Array, from = 0, to = 64) =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)))

const foreignFileKinds: [string, (bytes: Uint8Array) => boolean][] = [
  ['JPEG 图片', (bytes) => startsWith(bytes, 0xff, 0xd8, 0xff)],
  ['PNG 图片', (bytes) => startsWith(bytes, 0x89, 0x50, 0x4e, 0x47)],
  ['GIF 图片', (bytes) => readAscii(bytes, 0, 4) === 'GIF8'],
  ['WebP 图片', (bytes) => readAscii(bytes, 0, 4) === 'RIFF' && readAscii(bytes, 8, 12) === 'WEBP'],
  [
    'TIFF 图片',
    (bytes) => startsWith(bytes, 0x49, 0x49, 0x2a, 0) || startsWith(bytes, 0x4d, 0x4d, 0, 0x2a),
  ],
  [
    'HEIC 图片',
    (bytes) => readAscii(bytes, 4, 8) === 'ftyp' && /^(hei|mif)/.test(readAscii(bytes, 8, 12)),
  ],
  ['视频', (bytes) => readAscii(bytes, 4, 8) === 'ftyp'],
  ['PDF', (bytes) => readAscii(bytes, 0, 1024).includes('%PDF-')],
  ['RAR 压缩包', (bytes) => readAscii(bytes, 0, 4) === 'Rar!'],
  ['7z 压缩包', (bytes) => startsWith(bytes, 0x37, 0x7a, 0xbc, 0xaf)],
  ['gzip 压缩包', (bytes) => startsWith(bytes, 0x1f, 0x8b)],
  ['SQLite 数据库', (bytes) => readAscii(bytes, 0, 6) === 'SQLite'],
  ['程序', (bytes) => readAscii(bytes, 0, 2) === 'MZ' || readAscii(bytes, 1, 4) === 'ELF'],
]

/**
 * Returns if the content of a file is a zip (a workbook) or text (a .csv); file names are not trusted.
 * @throws UnreadableFile with the actual kind of the file
 */
export function assertReadable(bytes: Uint8Array, name: string): 'zip' | 'text' {
  if (bytes.length === 0) throw new UnreadableFile('文件是空的')
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) return 'zip'
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    throw new UnreadableFile(explainCompoundFile(bytes, name))
  const foreignKind = foreignFileKinds.find(([, matches]) => matches(bytes))
  if (foreignKind) throw new UnreadableFile(`这是${foreignKind[0]}，不是表格。${chooseTableHint}`)
  if (startsWith(bytes, 0x42, 0x4d) && bytes.includes(0))
    throw new UnreadableFile(`这是 BMP 图片，不是表格。${chooseTableHint}`)
  // Old Excel files begin with a BIFF2–4 record instead of the compound file header.
  if (bytes[0] === 0x09 && [0, 2, 4].includes(bytes[1]!) && bytes.subarray(0, 16).includes(0))
    throw new UnreadableFile(`这是旧版 Excel（.xls），${saveAsXlsxHint}`)
  return 'text'
}

/** Returns the reason for a compound file; the names of its streams are UTF-16. */
function explainCompoundFile(bytes: Uint8Array, name: string) {
  const hasStream = (stream: string) => {
    const utf16Bytes = [...stream].flatMap((letter) => [letter.charCodeAt(0), 0])
    for (
      let offset = bytes.indexOf(utf16Bytes[0]!);
      offset >= 0;
      offset = bytes.indexOf(utf16Bytes[0]!, offset + 1)
    )
      if (utf16Bytes.every((byte, i) => bytes[offset + i] === byte)) return true
    return false
  }
  if (hasStream('EncryptedPackage')) return '这个文件有打开密码，请取消密码后另存为 .xlsx'
  if (/\.ett?$/i.test(name)) return '这是 WPS 表格（.et），请在 WPS 里另存为 .xlsx'
  if (hasStream('WordDocument')) return `这是旧版 Word 文档（.doc），不是表格。${chooseTableHint}`
  if (hasStream('PowerPoint Document')) return `这是旧版 PPT（.ppt），不是表格。${chooseTableHint}`
  return '这是旧版 Excel（.xls），请另存为 .xlsx'
}

/**
 * Refuses a zip that is no .xlsx, judged by the names of its parts.
 * @throws UnreadableFile
 */
export function assertWorkbook(names: string[]) {
  const hasPartBelow = (start: string) => names.some((name) => name.startsWith(start))
  const refuse = (reason: string) => {
    throw new UnreadableFile(reason)
  }
  if (hasPartBelow('xl/workbook.bin')) refuse(`这是二进制工作簿（.xlsb），${saveAsXlsxHint}`)
  if (hasPartBelow('xl/vbaProject.bin')) refuse('这是带宏的工作簿（.xlsm），请另存为 .xlsx')
  if (hasPartBelow('xl/')) return
  if (hasPartBelow('Index/') || hasPartBelow('Index.zip'))
    refuse('这是 Numbers 表格（.numbers），请在 Numbers 里导出为 Excel')
  if (hasPartBelow('word/')) refuse(`这是 Word 文档，不是表格。${chooseTableHint}`)
  if (hasPartBelow('ppt/')) refuse(`这是 PPT，不是表格。${chooseTableHint}`)
  if (hasPartBelow('content.xml')) refuse(`这是 OpenDocument 文件（.ods），${saveAsXlsxHint}`)
  refuse(`这是 ZIP 压缩包，不是表格。请先解压，再选择里面的 .xlsx 或 .csv`)
}
