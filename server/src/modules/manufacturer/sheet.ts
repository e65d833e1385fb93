import { ManufacturerDraft } from '@iot/shared/contract/product/manufacturer.schema'
import { createSheetColumns } from '../../core/tasks/sheet'

/** Columns of an import file, with the example row of the template. A cell cannot hold a picture. */
export const sheet = createSheetColumns(ManufacturerDraft, {
  name: '示例照明有限公司',
  shortName: '示例照明',
  code: 'example-light',
  creditCode: '',
  areaCode: '广东省深圳市南山区',
  address: '科技园路 1 号',
  contact: '王工',
  phone: '0755-86001234',
  email: '',
  website: '',
  remark: '',
  status: '启用',
})
