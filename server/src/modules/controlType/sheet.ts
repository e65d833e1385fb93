import { capabilityText, widgetText } from '@iot/shared/contract/product/controlType'
import { ControlTypeDraft } from '@iot/shared/contract/product/controlType.schema'
import { createListConversion, createChoiceConversion } from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'

/** Columns of an import file, with the example row of the template. */
export const sheet = createSheetColumns(ControlTypeDraft, {
  name: '双色温调光',
  code: 'tw-dim',
  capability: { ...createChoiceConversion(capabilityText), example: capabilityText.TW },
  functions: {
    ...createListConversion(),
    example: 'PowerSwitch、Brightness、ColorTemperature',
  },
  widget: { ...createChoiceConversion(widgetText), example: widgetText.slider },
  description: '',
  status: '启用',
})
