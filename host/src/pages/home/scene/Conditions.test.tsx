import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import Form from 'antd/es/form'
import { call } from '@iot/shared/client/call'
import type { Trigger } from '@iot/shared/contract/control/scene.schema'
import { Triggers } from './Triggers'
import type { SceneOptions } from './useSceneOptions'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn() }))

it('keeps duration and mode of the conditions with their trigger', async () => {
  jest.mocked(call).mockResolvedValue([{ id: 'd1', name: '门磁', productType: 'DOOR' }])
  const options = { types: [], groups: [], calendars: [] } as unknown as SceneOptions
  const trigger: Trigger = {
    kind: 'condition',
    match: 'any',
    seconds: 600,
    conditions: [{ deviceId: 'd1', identifier: 'Open', compare: 'eq', value: 1 }],
  }
  const onSave = jest.fn()
  render(
    <Form initialValues={{ triggers: [trigger] }} onFinish={onSave}>
      <Triggers projectId={1} options={options} />
      <button type="submit">保存</button>
    </Form>,
  )
  const seconds = screen.getByRole<HTMLInputElement>('spinbutton', { name: '持续' })
  expect(seconds.value).toBe('600')
  screen.getByText('满足任一')
  fireEvent.change(seconds, { target: { value: '90' } })
  fireEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() =>
    expect(onSave).toHaveBeenCalledWith({ triggers: [{ ...trigger, seconds: 90 }] }),
  )
})

it('offers a deprecated function only where it is already chosen', async () => {
  jest.mocked(call).mockResolvedValue([{ id: 'd1', name: '门磁', productType: 'DOOR' }])
  const createProperty = (identifier: string, name: string, isDeprecated?: boolean) => ({
    identifier,
    name,
    isDeprecated,
    accessMode: 'r',
    dataType: { type: 'int', specs: {} },
  })
  const properties = [
    createProperty('Open', '开合'),
    createProperty('Old', '旧开合', true),
    createProperty('Older', '更旧开合', true),
  ]
  const options = {
    types: [{ code: 'DOOR', name: '门', properties }],
    groups: [],
    calendars: [],
  } as unknown as SceneOptions
  const trigger: Trigger = {
    kind: 'condition',
    match: 'any',
    seconds: 0,
    conditions: [{ deviceId: 'd1', identifier: 'Old', compare: 'eq', value: 1 }],
  }
  render(
    <Form initialValues={{ triggers: [trigger] }}>
      <Triggers projectId={1} options={options} />
    </Form>,
  )
  expect(await screen.findByText('旧开合（已弃用）')).toBeTruthy()
  fireEvent.mouseDown(screen.getByRole('combobox', { name: '条件的功能' }))
  await waitFor(() => screen.getByTitle('开合'))
  expect(screen.queryByTitle('更旧开合（已弃用）')).toBeNull()
})
