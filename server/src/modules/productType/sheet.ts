import { ProductType } from '@iot/shared/contract/productType'
import { sheetOf } from '../../core/tasks/sheet'

/** One row of a file. Its actions say by what they are called. */
export const sheet = sheetOf(ProductType, {
  name: '',
  code: '',
  categories: { text: (codes: string[]) => codes.join('、') },
  color: '',
  actions: {
    text: (actions: ProductType['actions']) =>
      actions.map(({ name, identifier, value }) => `${name}（${identifier}=${value}）`).join('、'),
  },
  showOnHome: '',
  sort: '',
  status: '',
  description: '',
  updateTime: '',
})
