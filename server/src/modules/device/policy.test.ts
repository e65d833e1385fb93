import { device } from '../../tables/device'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { sharedApp } from '../../testing'
import { devicesNaming } from './policy'

test('of many gateways each keeps all its devices, however many the first has', async () => {
  const { db } = (await sharedApp()).app
  const [gateways, lamps] = [productRow('naming1', 'gateway'), productRow('naming2', 'sub')]
  const [big, small] = [deviceRow(gateways, 'naming-big'), deviceRow(gateways, 'naming-small')]
  const below = (gatewayId: string, names: string[]) =>
    names.map((name) => deviceRow(lamps, name, { gatewayId }))
  await insertDevices(
    db,
    [gateways, lamps],
    [
      ...[big, small],
      ...below(
        big.id,
        Array.from({ length: 101 }, (_, at) => `naming-a${at}`),
      ),
      ...below(small.id, ['naming-z']),
    ],
  )
  const found = await devicesNaming(db, device.gatewayId, [big.id, small.id], '子设备')
  const of = (id: string) => found.filter(({ to }) => to === id)
  expect(of(small.id)).toMatchObject([{ entity: '子设备', name: '', count: 1 }])
  expect(of(big.id)).toHaveLength(101)
  expect(of(big.id).at(-1)).toMatchObject({ name: '', count: 1 })
})
