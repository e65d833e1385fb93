import type { Service } from '@iot/shared/contract/thingModel/thingModel.schema'
import { parseServiceParams } from './management'

const byteType = { type: 'int', specs: { min: 0, max: 255 } } as const
const service: Service = {
  identifier: 'Fade',
  name: '渐变',
  callType: 'sync',
  required: false,
  outputData: [],
  inputData: [
    { identifier: 'Level', name: '亮度', dataType: byteType },
    {
      identifier: 'Colours',
      name: '颜色',
      dataType: {
        type: 'array',
        specs: {
          size: 2,
          item: { type: 'struct', specs: [{ identifier: 'Red', name: '红', dataType: byteType }] },
        },
      },
    },
  ],
}
const getValuesOrErrors = (params: Record<string, number | string>) => {
  try {
    return parseServiceParams(service, params)
  } catch (refusal) {
    return (refusal as { data: { fields: object } }).data.fields
  }
}

describe('the arguments of a service call', () => {
  it('are refused at the wrong member', () => {
    expect(getValuesOrErrors({ Level: 300, Colours: '[]' })).toEqual({
      'params.Level': '亮度不能大于 255',
    })
    expect(getValuesOrErrors({ Level: 1, Colours: '[{"Red":1},{"Red":-1}]' })).toEqual({
      'params.Colours.1.Red': '颜色第 2 项的红不能小于 0',
    })
    expect(getValuesOrErrors({ Level: 1, Colours: 'red' })).toEqual({
      'params.Colours': '颜色须为数组',
    })
    expect(getValuesOrErrors({ Level: 1 })).toEqual({ 'params.Colours': '请填写颜色' })
  })
  it('are sent to the device in the types of its model', () => {
    expect(getValuesOrErrors({ Level: 1, Colours: '[{"Red":1}]' })).toEqual({
      Level: 1,
      Colours: [{ Red: 1 }],
    })
  })
})
