import { render, screen } from '@testing-library/react'
import { App } from 'antd'
import { call } from '@iot/shared/client/call'
import { energyApi } from '@iot/shared/contract/energy'
import EnergyDrawer from './EnergyDrawer'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn() }))
const day = (day: string) => ({ day, wattHours: null, source: 'none' as const })

it('counts as 待更换 what is due, and says of days without a figure that there is none', async () => {
  jest.mocked(call).mockImplementation((to) =>
    Promise.resolve(
      to === energyApi.areas
        ? {
            ...{ areas: [], days: [day('2026-11-22')], today: day(''), yesterday: day('') },
            ...{ due: 1, soon: 3 },
          }
        : { list: [], total: 0 },
    ),
  )
  render(
    <App>
      <EnergyDrawer projectId={1} onClose={() => {}} />
    </App>,
  )
  const tab = await screen.findByRole('tab', { name: /待更换/ })
  expect(tab.textContent).toBe('待更换 1')
  screen.getByText(/这段时间没有数据/)
  expect(screen.queryByRole('img', { name: /每天的用电/ })).toBeNull()
})
