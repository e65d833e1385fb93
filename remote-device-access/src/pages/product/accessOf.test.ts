import { accessOf } from './accessOf'

const direct = { from: 'sub', to: 'direct', offered: ['mqtt', 'coap', 'modbus'] } as const
const sub = { from: 'direct', to: 'sub', offered: ['dali', 'modbus'] } as const
const turned = (net: string, protocol: string, { offered, ...turn }: typeof direct | typeof sub) =>
  accessOf({ net, protocol }, { ...turn, offered: [...offered] })

it('is what is usual there where nothing else was chosen', () => {
  expect(turned('wifi', 'mqtt', sub)).toEqual({ net: 'gateway', protocol: '' })
  expect(turned('gateway', '', direct)).toEqual({ net: 'wifi', protocol: 'mqtt' })
})

it('keeps what was chosen and is offered there too', () => {
  const chosen = { net: 'cellular', protocol: 'modbus' }
  expect(turned('cellular', 'modbus', sub)).toEqual(chosen)
  expect(turned('cellular', 'modbus', direct)).toEqual(chosen)
  const none = { net: 'ethernet', protocol: '' }
  expect(accessOf(none, { from: 'direct', to: 'gateway', offered: ['mqtt'] })).toEqual(none)
})

it('keeps no protocol that is not offered there, unless that is not known yet', () => {
  expect(turned('gateway', 'dali', direct).protocol).toBe('mqtt')
  expect(turned('wifi', 'coap', sub).protocol).toBe('')
  const kept = accessOf({ net: 'wifi', protocol: 'coap' }, { ...sub, offered: undefined })
  expect(kept.protocol).toBe('coap')
})

it('leaves what was saved of a product, unless it cannot be there', () => {
  const saved = { net: 'wifi', protocol: 'modbus' }
  expect(accessOf(saved, { to: 'sub', offered: ['modbus'] })).toEqual(saved)
  expect(
    accessOf({ net: 'gateway', protocol: 'dali' }, { to: 'direct', offered: ['mqtt'] }),
  ).toEqual({ net: 'wifi', protocol: 'mqtt' })
})
