import { confirmLevelText } from '@iot/shared/contract/product/productType'
import {
  ProductType,
  ProductTypeDraft,
  TypeAction,
} from '@iot/shared/contract/product/productType.schema'
import {
  createListConversion,
  createChoiceConversion,
  type CellConversion,
} from '../../core/tasks/cellConversion'
import { createRowsConversion, createSheetColumns } from '../../core/tasks/sheet'
import { standardNameByCode } from '../category/policy'

const isNumber = (text: string) => /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text)
/** A text that looks like a number is put in quotes. */
const setting: CellConversion = {
  text: (value: number | string) =>
    typeof value === 'string' && (isNumber(value) || /^".*"$/.test(value))
      ? `"${value}"`
      : String(value),
  value: (text) => (isNumber(text) ? Number(text) : text.replace(/^"(.*)"$/, '$1')),
}
const actionRows = createRowsConversion(
  createSheetColumns(TypeAction, {
    name: '',
    actionType: '',
    identifier: '',
    value: setting,
    confirm: createChoiceConversion(confirmLevelText),
  }),
)
/** Doubles the quotes around a number, so that the CSV reader keeps them: `|"1"|` means the text "1". */
const doubleNumberQuotes = (cell: string) => cell.replace(/(?<=\|)"[-+.\de]+"(?=\|)/gi, '""$&""')
const actions: CellConversion = {
  ...actionRows,
  value: (cell) => actionRows.value!(doubleNumberQuotes(cell)),
}
/** Columns of an import file, with the example row of the template. A library icon is given by its code. */
export const sheet = createSheetColumns(ProductTypeDraft, {
  name: '示例灯光',
  code: 'EXAMPLE_LIGHT',
  categories: {
    ...createListConversion(createChoiceConversion(standardNameByCode)),
    example: '灯、双色温灯',
  },
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
export const exportColumns = [...sheet, ...createSheetColumns(ProductType, { updateTime: '' })]
