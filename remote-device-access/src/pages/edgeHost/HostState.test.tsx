import { render } from '@testing-library/react'
import type { EdgeHost } from '@iot/shared/contract/device/edgeHost.schema'
import { ConfigState } from './HostState'

const createHost = (overrides: Partial<EdgeHost>) =>
  ({
    state: 'online',
    configVersion: 2,
    configApplied: '1',
    configFault: '',
    ...overrides,
  }) as EdgeHost
const renderConfigState = (overrides: Partial<EdgeHost>) => {
  const { container } = render(<ConfigState host={createHost(overrides)} />)
  const dot = container.querySelector('[class*=status-dot]')!
  return [/status-(warning|error|default)/.exec(dot.className)?.[1], container.textContent]
}

it('warns about a configuration not yet applied, unless the host is disabled', () => {
  expect(renderConfigState({})).toEqual(['warning', '版本 2 未生效'])
  expect(renderConfigState({ configFault: '磁盘已满' })).toEqual(['error', '版本 2 应用失败'])
  expect(renderConfigState({ state: 'disabled' })).toEqual(['default', '版本 2 未生效'])
  expect(renderConfigState({ state: 'disabled', configFault: '磁盘已满' })).toEqual([
    'default',
    '版本 2 应用失败',
  ])
})
