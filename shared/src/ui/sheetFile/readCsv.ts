import Papa from 'papaparse'
import { UnreadableFile } from './fileKind'

/** Reads a .csv in UTF-8, UTF-16 or Chinese Excel's encoding, separated by commas, semicolons or tabs. */
export function readCsv(bytes: Uint8Array): string[][] {
  const text = decodeText(bytes)
  if (/^\s*</.test(text))
    throw new UnreadableFile(
      '这是网页或 XML 文件（有的系统把它命名为 .xls），请在 Excel 或 WPS 里打开后另存为 .xlsx',
    )
  if (/^\s*[[{]/.test(text)) throw new UnreadableFile('这是 JSON 文件，请选择 .xlsx 或 .csv 表格')
  // Excel may write a first line that names the delimiter.
  const delimiterLine = /^sep=(.)\r?\n/i.exec(text)
  const body = delimiterLine ? text.slice(delimiterLine[0].length) : text
  const { data, errors } = Papa.parse<string[]>(body, {
    delimiter: delimiterLine?.[1] ?? '',
    delimitersToGuess: [',', '\t', ';'],
    skipEmptyLines: false,
  })
  const quoteError = errors.find(({ type }) => type === 'Quotes')
  if (quoteError)
    throw new UnreadableFile(
      `第 ${(quoteError.row ?? 0) + 1} 行的引号没有配对，请用表格软件重新另存为 .csv`,
    )
  const rows = delimiterLine ? [[], ...data] : data
  return delimiterLine ? alignHeader(rows) : rows
}

/** Keeps the line numbers of a text editor: the header stays first, and the delimiter line becomes an empty row. */
const alignHeader = ([empty, head, ...rows]: string[][]) => (head ? [head, empty!, ...rows] : [])

function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const sample = bytes.subarray(0, 4096)
  const countZeroBytes = (parity: number) =>
    sample.filter((byte, i) => i % 2 === parity && byte === 0).length
  // Commas and line breaks of UTF-16 contain one zero byte.
  if (countZeroBytes(1) > 0 && countZeroBytes(0) === 0) return decodeWith('utf-16le', bytes)
  if (countZeroBytes(0) > 0 && countZeroBytes(1) === 0) return decodeWith('utf-16be', bytes)
  if (sample.includes(0)) throw new UnreadableFile('这不是表格文件，请选择 .xlsx 或 .csv 表格')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decodeWith('gb18030', bytes)
  }
}

function decodeWith(encoding: string, bytes: Uint8Array) {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableFile('认不出文件的文字编码，请另存为“CSV UTF-8”或 .xlsx')
  }
}
