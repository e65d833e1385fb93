import { strToU8, zipSync } from 'fflate'

type Workbook = {
  /** Rows of the first sheet as XML: `<row r="1"><c r="A1" t="s"><v>0</v></c></row>`. */
  rows: string
  /** This XML stands before and after the rows. */
  head?: string
  tail?: string
  /** Number formats by index: a built-in number or a format code. */
  formats?: (number | string)[]
  texts?: string[]
  /** Names of further sheets; a name that begins with ! is hidden. */
  sheets?: string[]
  properties?: string
  /** The zip contains these further parts. */
  parts?: Record<string, string>
}
const escapeXml = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')
const relationshipsNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const mainNamespace = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'

/** Builds an .xlsx for tests in the structure that spreadsheets write. */
export function makeWorkbook(workbook: Workbook): Uint8Array {
  const { rows, head = '', tail = '', formats = [], texts = [], properties = '' } = workbook
  const names = workbook.sheets ?? ['Sheet1']
  const buildRelation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relationshipsNamespace}/${type}" Target="${target}"/>`
  const customFormats = formats.flatMap((format, i) =>
    typeof format === 'string' ? [[200 + i, format] as const] : [],
  )
  const parts: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook ${mainNamespace} xmlns:r="${relationshipsNamespace}"><workbookPr ${properties}/><sheets>${names
      .map(
        (name, i) =>
          `<sheet name="${escapeXml(name.replace('!', ''))}" sheetId="${i + 1}"${name.startsWith('!') ? ' state="hidden"' : ''} r:id="rId${i + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${[
      ...names.map((_, i) =>
        buildRelation(`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`),
      ),
      buildRelation('rId98', 'sharedStrings', 'sharedStrings.xml'),
      buildRelation('rId99', 'styles', '/xl/styles.xml'),
    ].join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet ${mainNamespace}><numFmts>${customFormats
      .map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${escapeXml(code)}"/>`)
      .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats
      .map((format, i) => `<xf numFmtId="${typeof format === 'number' ? format : 200 + i}"/>`)
      .join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${mainNamespace}>${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    ...Object.fromEntries(
      names.map((_, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `<worksheet ${mainNamespace}><sheetData/></worksheet>`,
      ]),
    ),
    [`xl/worksheets/sheet${names.findIndex((name) => !name.startsWith('!')) + 1}.xml`]: `<worksheet ${mainNamespace}>${head}<sheetData>${rows}</sheetData>${tail}</worksheet>`,
    ...workbook.parts,
  }
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)])),
  )
}
