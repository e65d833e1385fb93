import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { call } from '@iot/shared/client/call'
import type { FloorDevices } from '@iot/shared/contract/device/managedDevice.schema'
import { store } from '@iot/shared/session/store'
import { signIn } from '@iot/shared/session/signedIn.fixture'
import { FeedbackProvider } from '@iot/shared/ui/feedback'
import { PlacingToolbar } from './PlacingToolbar'

jest.mock('@iot/shared/client/call', () => ({
  ...jest.requireActual<object>('@iot/shared/client/call'),
  call: jest.fn(),
}))
const callMock = jest.mocked(call)
const lamp = {
  id: 'l',
  name: '走廊-应急',
  deviceName: 'l',
  productId: 'p',
  spaceId: 'f',
  floorId: 'f',
  x: 0.5,
  y: 0.5,
  state: 'online' as const,
  protected: true,
}
const floor = {
  id: 'f',
  name: '1 层',
  projectId: 1,
  type: 'floor' as const,
  plan: null,
  planWidth: null,
  planHeight: null,
}
const data: FloorDevices = {
  projectId: 1,
  projectRow: null,
  floor,
  place: '1 层',
  spaces: [],
  left: 0,
  products: [{ id: 'p', name: '灯', productType: 'L', typeName: '灯', flash: 'service' }],
  devices: [lamp],
}
const noop = () => {}

it('asks before a protected lamp identifies itself', async () => {
  signIn(['*'])
  callMock.mockResolvedValue({ code: 200, message: '' })
  const user = userEvent.setup()
  const toolbarProps = { data, chosen: [lamp], points: [], isPicking: false }
  render(
    <Provider store={store}>
      <FeedbackProvider>
        <PlacingToolbar {...toolbarProps} onPicking={noop} onArrange={noop} onTakeOff={noop}>
          {null}
        </PlacingToolbar>
      </FeedbackProvider>
    </Provider>,
  )
  await user.click(screen.getByRole('button', { name: /闪\s?灯/ }))
  const question = within(await screen.findByRole('dialog'))
  question.getByText(/应急或疏散照明/)
  expect(callMock).not.toHaveBeenCalled()
  await user.click(question.getByRole('button', { name: /闪\s?动/ }))
  await screen.findByText('走廊-应急正在闪灯')
})
