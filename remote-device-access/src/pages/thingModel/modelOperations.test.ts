import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { countFlagged, setFlag } from './modelOperations'

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
