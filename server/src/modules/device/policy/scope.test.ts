import { device } from '../../../tables/device'
import { deviceRow, insertDevices, productRow } from '../../../device-access/testing'
import { sharedApp } from '../../../testing'
import { listReferencingDevices } from './scope'

test('each of several gateways keeps all its devices, however many the first one has', async () => {
  const { db } = (await sharedApp()).app
  const [gatewayProduct, lampProduct] = [
    productRow('naming1', 'gateway'),
    productRow('naming2', 'sub'),
  ]
  const [bigGateway, smallGateway] = [
    deviceRow(gatewayProduct, 'naming-big'),
    deviceRow(gatewayProduct, 'naming-small'),
  ]
  const createSubDevices = (gatewayId: string, names: string[]) =>
    names.map((name) => deviceRow(lampProduct, name, { gatewayId }))
  await insertDevices(
    db,
    [gatewayProduct, lampProduct],
    [
      ...[bigGateway, smallGateway],
      ...createSubDevices(
        bigGateway.id,
        Array.from({ length: 101 }, (_, index) => `naming-a${index}`),
      ),
      ...createSubDevices(smallGateway.id, ['naming-z']),
    ],
  )
  const references = await listReferencingDevices(
    db,
    device.gatewayId,
    [bigGateway.id, smallGateway.id],
    '子设备',
  )
  const referencesTo = (id: string) => references.filter(({ to }) => to === id)
  expect(referencesTo(smallGateway.id)).toMatchObject([{ entity: '子设备', name: '', count: 1 }])
  expect(referencesTo(bigGateway.id)).toHaveLength(101)
  expect(referencesTo(bigGateway.id).at(-1)).toMatchObject({ name: '', count: 1 })
})
