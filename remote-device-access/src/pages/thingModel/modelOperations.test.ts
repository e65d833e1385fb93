import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { countFlagged, copyFunction, setDeprecated, setFlag } from './modelOperations'

const model = ThingModel.parse({
  properties: [
    { identifier: 'Level', name: '亮度', accessMode: 'rw', dataType: { type: 'int', specs: {} } },
    { identifier: 'Power', name: '功率', accessMode: 'r', dataType: { type: 'int', specs: {} } },
  ],
  services: [{ identifier: 'Flash', name: '闪烁' }],
  events: [{ identifier: 'Fault', name: '故障', type: 'error' }],
})

it('sets a flag on functions that have it, and counts only those', () => {
  const selectedIds = ['Level', 'Flash', 'Fault', 'Gone']
  const changedModel = setFlag(model, selectedIds, 'isHistory', false)
  expect(changedModel.properties.map(({ isHistory }) => isHistory)).toEqual([false, true])
  expect([changedModel.services, changedModel.events]).toEqual([model.services, model.events])
  expect(countFlagged(model, selectedIds, 'isHistory')).toBe(1)
  expect(countFlagged(model, selectedIds, 'required')).toBe(3)
  expect(countFlagged(model, ['Flash', 'Fault'], 'isMonitor')).toBe(0)
})

it('deprecates one function, and leaves no trace when it is taken back', () => {
  const deprecatedModel = setDeprecated(model, 'Flash', true)
  expect(deprecatedModel.services).toMatchObject([{ identifier: 'Flash', isDeprecated: true }])
  expect(deprecatedModel.properties).toEqual(model.properties)
  expect(setDeprecated(deprecatedModel, 'Flash', false)).toEqual(model)
  expect(
    copyFunction(deprecatedModel, { kind: 'services', ...deprecatedModel.services[0]! }),
  ).toMatchObject({ identifier: 'Flash_2', isDeprecated: undefined })
})
