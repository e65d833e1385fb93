import type { BulkAction, Values } from '@iot/shared/contract/device'

/** What a bulk action of a product type sets. */
export const bulkActions: (BulkAction & { title: string; values: Values })[] = [
  {
    productType: 'SAFEWAY_LIGHT',
    actionType: 'all_on',
    title: '灯光全开',
    values: { PowerSwitch: 1 },
  },
  {
    productType: 'SAFEWAY_LIGHT',
    actionType: 'all_off',
    title: '灯光全关',
    values: { PowerSwitch: 0 },
  },
]
