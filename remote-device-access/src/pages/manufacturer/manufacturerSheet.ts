import { lookup } from 'region-data'
import { parseAddress } from 'region-data/parse'
import { labelOf } from 'region-data/tree'
import { statusText, type Status } from '@iot/shared/contract/fields'
import { titleOf } from '@iot/shared/contract/titleOf'
import { Manufacturer, type ManufacturerDraft } from '@iot/shared/contract/manufacturer'
import type { SheetColumn } from '@iot/shared/ui/sheet'

type Column = SheetColumn<ManufacturerDraft>
const column = (
  name: Column['name'],
  example: string,
  more?: Pick<Column, 'text' | 'value'>,
): Column => ({ name, title: titleOf(Manufacturer, name), example, ...more })

/** A code stays a code; a name that leaves the area open is refused by the server in the words of the form. */
const areaOf = (text: string) => (lookup(text, 'area') ? text : (parseAddress(text).code ?? ''))

/** One row of the file, for import, export and template alike. */
export const sheet: Column[] = [
  column('name', '示例照明有限公司'),
  column('shortName', '示例照明'),
  column('code', 'example-light'),
  column('creditCode', ''),
  column('areaCode', '广东省深圳市南山区', {
    text: (code: string) => labelOf(code) || code,
    value: areaOf,
  }),
  column('address', '科技园路 1 号'),
  column('contact', '王工'),
  column('phone', '0755-86001234'),
  column('email', ''),
  column('website', ''),
  column('remark', ''),
  column('status', '启用', {
    text: (status: Status) => statusText[status],
    value: (text) => (text === statusText.disabled ? 'disabled' : 'enabled'),
  }),
]
