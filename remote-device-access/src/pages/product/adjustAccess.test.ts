import { adjustAccess } from './adjustAccess'

const toDirect = { from: 'sub', to: 'direct', offered: ['mqtt', 'coap', 'modbus'] } as const
const toSub = { from: 'direct', to: 'sub', offered: ['dali', 'modbus'] } as const
const changeNode = (
  net: string,
  protocol: string,
  { offered, ...turn }: typeof toDirect | typeof toSub,
) => adjustAccess({ net, protocol }, { ...turn, offered: [...offered] })

it('uses the defaults of the new node type when nothing else was chosen', () => {
  expect(changeNode('wifi', 'mqtt', toSub)).toEqual({ net: 'gateway', protocol: '' })
  expect(changeNode('gateway', '', toDirect)).toEqual({ net: 'wifi', protocol: 'mqtt' })
})

it('keeps a choice that the new node type offers too', () => {
  const chosenAccess = { net: 'cellular', protocol: 'modbus' }
  expect(changeNode('cellular', 'modbus', toSub)).toEqual(chosenAccess)
  expect(changeNode('cellular', 'modbus', toDirect)).toEqual(chosenAccess)
  const accessWithoutProtocol = { net: 'ethernet', protocol: '' }
  expect(
    adjustAccess(accessWithoutProtocol, { from: 'direct', to: 'gateway', offered: ['mqtt'] }),
  ).toEqual(accessWithoutProtocol)
})

it('drops a protocol the new node type does not offer, once the options are known', () => {
  expect(changeNode('gateway', 'dali', toDirect).protocol).toBe('mqtt')
  expect(changeNode('wifi', 'coap', toSub).protocol).toBe('')
  const adjustedAccess = adjustAccess(
    { net: 'wifi', protocol: 'coap' },
    { ...toSub, offered: undefined },
  )
  expect(adjustedAccess.protocol).toBe('coap')
})

it('keeps the saved values of a product when they are possible', () => {
  const savedAccess = { net: 'wifi', protocol: 'modbus' }
  expect(adjustAccess(savedAccess, { to: 'sub', offered: ['modbus'] })).toEqual(savedAccess)
  expect(
    adjustAccess({ net: 'gateway', protocol: 'dali' }, { to: 'direct', offered: ['mqtt'] }),
  ).toEqual({ net: 'wifi', protocol: 'mqtt' })
})
