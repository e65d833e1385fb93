import {
  confirmLevelText,
  ProductType,
  ProductTypeDraft,
  TypeAction,
} from '@iot/shared/contract/productType'
import { rowsIn, severalOf, sheetOf, wordsOf, type Words } from '../../core/tasks/sheet'
import { standardTitles } from '../category/policy'

const isNumber = (text: string) => /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text)
/** A text that looks like a number is put in quotes. */
const setting: Words = {
  text: (value: number | string) =>
    typeof value === 'string' && (isNumber(value) || /^".*"$/.test(value))
      ? `"${value}"`
      : String(value),
  value: (text) => (isNumber(text) ? Number(text) : text.replace(/^"(.*)"$/, '$1')),
}
const rows = rowsIn(
  sheetOf(TypeAction, {
    name: '',
    actionType: '',
    identifier: '',
    value: setting,
    confirm: wordsOf(confirmLevelText),
  }),
)
/** Doubles the quotes around a number, so that the CSV reader keeps them: `|"1"|` means the text "1". */
const ownQuotes = (cell: string) => cell.replace(/(?<=\|)"[-+.\de]+"(?=\|)/gi, '""$&""')
const actions: Words = { ...rows, value: (cell) => rows.value!(ownQuotes(cell)) }
/** Columns of an import file, with the example row of the template. A library icon is given by its code. */
export const sheet = sheetOf(ProductTypeDraft, {
  name: '示例灯光',
  code: 'EXAMPLE_LIGHT',
  categories: { ...severalOf(wordsOf(standardTitles)), example: '灯、双色温灯' },
  icon: 'BulbOutlined',
  color: '#faad14',
  actions: {
    ...actions,
    example: '全开|all_on|PowerSwitch|1|先说明再执行\n全关|all_off|PowerSwitch|0|先说明再执行',
  },
  showOnHome: '否',
  sort: '1',
  status: '启用',
  description: '',
})
export const exported = [...sheet, ...sheetOf(ProductType, { updateTime: '' })]
