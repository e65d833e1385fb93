import { capabilityText, ControlTypeDraft, widgetText } from '@iot/shared/contract/controlType'
import { severalOf, sheetOf, wordsOf } from '../../core/tasks/sheet'

/** Columns of an import file, with the example row of the template. */
export const sheet = sheetOf(ControlTypeDraft, {
  name: '双色温调光',
  code: 'tw-dim',
  capability: { ...wordsOf(capabilityText), example: capabilityText.TW },
  functions: {
    ...severalOf(),
    example: 'PowerSwitch、Brightness、ColorTemperature',
  },
  widget: { ...wordsOf(widgetText), example: widgetText.slider },
  description: '',
  status: '启用',
})
