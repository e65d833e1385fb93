/** @jest-environment jsdom */
import { render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import type { ManualOverride } from '../contract/control/manualOverride.schema'
import { devicePermissions } from '../contract/device/devicePermissions'
import { store } from '../session/store'
import { signIn } from '../session/signedIn.fixture'
import { EndOverrideButton } from './heldNotice'

const override: ManualOverride = {
  id: 'o1',
  projectId: 1,
  spaceIds: [],
  deviceIds: ['d1'],
  place: '会议室',
  parentPlace: '',
  devices: 1,
  unit: '盏',
  until: '2026-08-01T10:00:00.000Z',
  reason: '',
  createBy: 'wang',
  createByName: '王工',
  createTime: '2026-08-01T08:00:00.000Z',
}
const findButton = (change: Partial<ManualOverride>) => {
  render(
    <Provider store={store}>
      <EndOverrideButton override={{ ...override, ...change }} />
    </Provider>,
  )
  return screen.getByRole<HTMLButtonElement>('button', { name: '解除会议室的手动保持' })
}

describe('ending an override without the permission for bulk control', () => {
  beforeEach(() => signIn([devicePermissions.control.permission]))
  it('is offered for a single lamp', () => expect(findButton({}).disabled).toBe(false))
  it.each([
    ['a room', ['room'], []],
    ['several lamps', [], ['d1', 'd2']],
    ['a room that was removed', [], []],
  ])('is disabled with the reason for %s', (_, spaceIds, deviceIds) => {
    expect(findButton({ spaceIds, deviceIds }).disabled).toBe(true)
    expect(screen.getByLabelText('缺少权限：批量控制')).toBeTruthy()
  })
})
