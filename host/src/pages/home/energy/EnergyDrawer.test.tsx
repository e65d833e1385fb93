import { render, screen } from '@testing-library/react'
import { call } from '@iot/shared/client/call'
import { energyApi } from '@iot/shared/contract/control/energy.api'
import { FeedbackProvider } from '@iot/shared/ui/feedback'
import EnergyDrawer from './EnergyDrawer'
import { formatSameHour, formatWattHours } from './formatEnergy'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn() }))
const createDay = (day: string) => ({ day, wattHours: null, source: 'none' as const })

it('counts lamps due as 待更换, and marks days without data', async () => {
  jest.mocked(call).mockImplementation((endpoint) =>
    Promise.resolve(
      endpoint === energyApi.areas
        ? {
            areas: [],
            days: [createDay('2026-11-22')],
            today: createDay(''),
            yesterday: createDay(''),
            due: 1,
            soon: 3,
            doubtfulMeters: ['1F 总表', '2F 总表'],
            sameHour: 10_000,
          }
        : { list: [], total: 0 },
    ),
  )
  render(
    <FeedbackProvider>
      <EnergyDrawer projectId={1} onClose={() => {}} />
    </FeedbackProvider>,
  )
  const tab = await screen.findByRole('tab', { name: /待更换/ })
  expect(tab.textContent).toBe('待更换 1')
  screen.getByText(/这段时间没有数据/)
  screen.getByText(/昨天此时 10.00 kWh/)
  screen.getByText('计量不可信：1F 总表、2F 总表')
  expect(screen.queryByRole('img', { name: /每天的用电/ })).toBeNull()
})

it.each([
  [null, 5000, '昨天此时未知'],
  [10_000, 12_300, '昨天此时 10.00 kWh，多 23%'],
  [10_000, 9000, '昨天此时 10.00 kWh，少 10%'],
  [10_000, 10_010, '昨天此时 10.00 kWh，相当'],
  [10_000, null, '昨天此时 10.00 kWh'],
  [0, 500, '昨天此时 0 Wh'],
])('compares %p with %p of today: %s', (sameHour, today, text) =>
  expect(formatSameHour(sameHour, today)).toBe(text),
)

it.each([
  [null, '未知'],
  [0, '0 Wh'],
  [640.4, '640 Wh'],
  [999.6, '1.00 kWh'],
  [12_340, '12.34 kWh'],
  [310_200, '310 kWh'],
])('formats %p watt-hours as %s', (wattHours, text) =>
  expect(formatWattHours(wattHours)).toBe(text),
)
