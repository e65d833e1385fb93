import { capabilityText, ControlTypeDraft, widgetText } from '@iot/shared/contract/controlType'
import { sheetOf, wordsOf } from '../../core/tasks/sheet'

/** One row of a file, with the example of the template. */
export const sheet = sheetOf(ControlTypeDraft, {
  name: '双色温调光',
  code: 'tw-dim',
  capability: { ...wordsOf(capabilityText), example: capabilityText.TW },
  functions: {
    text: (identifiers: string[]) => identifiers.join('、'),
    value: (text) => text.split(/[、,，\s]+/).filter(Boolean),
    example: 'PowerSwitch、Brightness、ColorTemperature',
  },
  widget: { ...wordsOf(widgetText), example: widgetText.slider },
  description: '',
  status: '启用',
})
