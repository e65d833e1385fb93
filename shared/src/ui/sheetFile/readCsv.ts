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
  const delimiter = delimiterLine?.[1] ?? findDelimiter(body)
  const { data, errors } = Papa.parse<string[]>(body, { delimiter, skipEmptyLines: false })
  const quoteError = errors.find(({ type }) => type === 'Quotes')
  if (quoteError)
    throw new UnreadableFile(
      `第 ${(quoteError.row ?? 0) + 1} 行的引号没有配对，请用表格软件重新另存为 .csv`,
    )
  assertWithinHeader(data, delimiterLine ? 2 : 1, delimiter)
  const rows = data.map((cells) => cells.map(unwrapFormulaText))
  return delimiterLine ? alignHeader([[], ...rows]) : rows
}

/** The rarer a mark is in titles, the earlier it stands. */
const delimiters = ['\t', '|', ';', ',']
/** The header decides, because texts below it contain the other marks. */
function findDelimiter(body: string) {
  const countTitles = (delimiter: string) =>
    Papa.parse<string[]>(body, { delimiter, preview: 1 }).data[0]?.length ?? 0
  return delimiters.reduce((best, delimiter) =>
    countTitles(delimiter) > countTitles(best) ? delimiter : best,
  )
}

/**
 * Refuses a row that is longer than the header: an unquoted delimiter has moved its texts into the wrong columns.
 * @throws UnreadableFile with the line number
 */
function assertWithinHeader(
  [titles = [], ...rows]: string[][],
  firstLine: number,
  delimiter: string,
) {
  const index = rows.findIndex((cells) => cells.slice(titles.length).some((cell) => cell.trim()))
  if (index < 0) return
  const delimiterText = delimiter === '\t' ? '制表符' : `“${delimiter}”`
  throw new UnreadableFile(
    `第 ${firstLine + 1 + index} 行有 ${rows[index]!.length} 格，表头只有 ${titles.length} 列。含${delimiterText}的内容须用双引号括起来`,
  )
}

/** Other programs write ="0101", so that a spreadsheet keeps the zeros; it shows 0101. */
const unwrapFormulaText = (cell: string) =>
  /^="((?:[^"]|"")*)"$/.exec(cell.trim())?.[1]!.replaceAll('""', '"') ?? cell

/** Keeps the line numbers of a text editor: the header stays first, and the delimiter line becomes an empty row. */
const alignHeader = ([empty, head, ...rows]: string[][]) => (head ? [head, empty!, ...rows] : [])

function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeWith('utf-16le', bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeWith('utf-16be', bytes)
  const sample = bytes.subarray(0, 4096)
  const countZeroBytes = (parity: number) =>
    sample.filter((byte, i) => i % 2 === parity && byte === 0).length
  const zeroBytes = countZeroBytes(0) + countZeroBytes(1)
  // Chinese text in UTF-16 is no valid UTF-8, and at least every second byte of Latin text is zero.
  if (zeroBytes > 0 && zeroBytes < sample.length / 3 && isUtf8(bytes))
    throw new UnreadableFile('文件含有空字符，已损坏或不是表格，请在表格软件里重新另存')
  // Commas and line breaks of UTF-16 contain one zero byte.
  if (countZeroBytes(1) > 0 && countZeroBytes(0) === 0) return decodeWith('utf-16le', bytes)
  if (countZeroBytes(0) > 0 && countZeroBytes(1) === 0) return decodeWith('utf-16be', bytes)
  if (zeroBytes > 0) throw new UnreadableFile('这不是表格文件，请选择 .xlsx 或 .csv 表格')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decodeWith('gb18030', bytes)
  }
}

function isUtf8(bytes: Uint8Array) {
  try {
    return Boolean(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return false
  }
}

function decodeWith(encoding: string, bytes: Uint8Array) {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableFile('认不出文件的文字编码，请另存为“CSV UTF-8”或 .xlsx')
  }
}
