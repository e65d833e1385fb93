import { ThingModel } from '@iot/shared/contract/thingModel'
import { countFlagged, setFlag } from './operations'

const model = ThingModel.parse({
  properties: [
    { identifier: 'Level', name: '亮度', accessMode: 'rw', dataType: { type: 'int', specs: {} } },
    { identifier: 'Power', name: '功率', accessMode: 'r', dataType: { type: 'int', specs: {} } },
  ],
  services: [{ identifier: 'Flash', name: '闪烁' }],
  events: [{ identifier: 'Fault', name: '故障', type: 'error' }],
})

it('sets a flag for those that have one, and counts only them', () => {
  const chosen = ['Level', 'Flash', 'Fault', 'Gone']
  const changed = setFlag(model, chosen, 'isHistory', false)
  expect(changed.properties.map(({ isHistory }) => isHistory)).toEqual([false, true])
  expect([changed.services, changed.events]).toEqual([model.services, model.events])
  expect(countFlagged(model, chosen, 'isHistory')).toBe(1)
  expect(countFlagged(model, chosen, 'required')).toBe(3)
  expect(countFlagged(model, ['Flash', 'Fault'], 'isMonitor')).toBe(0)
})
