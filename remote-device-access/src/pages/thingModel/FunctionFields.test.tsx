import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import Form from 'antd/es/form'
import {
  ThingEvent,
  type DataType,
  type Param,
} from '@iot/shared/contract/thingModel/thingModel.schema'
import { ParameterFields, PropertyFields } from './FunctionFields'

jest.mock('./useUnits', () => ({ useUnits: () => [] }))
jest.mock('./ControlPreview', () => ({ ControlPreview: () => null }))

const renderFields = (values: { dataType: DataType } | { outputData: Param[] }) =>
  render(
    <Form initialValues={values}>
      {'dataType' in values ? <PropertyFields /> : <ParameterFields kind="events" />}
    </Form>,
  )
const isMarkedInvalid = (input: HTMLElement) => input.closest('[class*=status-error]') !== null
const listInvalidLabels = () =>
  [...document.querySelectorAll('input')]
    .filter(isMarkedInvalid)
    .map((input) => input.getAttribute('aria-label'))
const typeInto = (label: string, value: string) =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } })

it('marks only the wrong input, and none once it is correct', async () => {
  renderFields({ dataType: { type: 'int', specs: { min: 0, max: 100 } } })
  typeInto('最小值', '200')
  await screen.findByText('最大值不能小于最小值')
  expect(listInvalidLabels()).toEqual(['最大值'])

  typeInto('最小值', '0')
  typeInto('步长', '500')
  await screen.findByText('步长不能大于最大值与最小值之差')
  expect(listInvalidLabels()).toEqual(['步长'])
  expect(screen.getByLabelText('步长').getAttribute('aria-invalid')).toBe('true')

  typeInto('步长', '5')
  await waitFor(() => expect(listInvalidLabels()).toEqual([]))
})

it('marks the bound of array elements, not the array size', async () => {
  const specs = { min: 0, max: 9 }
  renderFields({ dataType: { type: 'array', specs: { size: 10, item: { type: 'int', specs } } } })
  typeInto('最大值', '-1')
  await screen.findByText('最大值不能小于最小值')
  expect(listInvalidLabels()).toEqual(['最大值'])
})

it('marks the label of the enum item of the right parameter', async () => {
  const createEnumParam = (identifier: string): Param => ({
    identifier,
    name: identifier,
    dataType: { type: 'enum', specs: { 0: '关', 1: '开' } },
  })
  renderFields({ outputData: [createEnumParam('First'), createEnumParam('Second')] })
  const secondParam = within(screen.getByLabelText('输出参数 2'))
  fireEvent.change(secondParam.getByLabelText('第 2 项的含义'), { target: { value: '' } })
  await screen.findByText(/^第 2 项的/)
  expect(listInvalidLabels()).toEqual(['第 2 项的含义'])
  expect(isMarkedInvalid(secondParam.getByLabelText('第 2 项的含义'))).toBe(true)
})

it('focuses the wrong input on save', async () => {
  const dataType: DataType = { type: 'enum', specs: { 0: '自动', 1: '制冷', 2: '自动' } }
  render(
    <Form initialValues={{ dataType }} scrollToFirstError={{ focus: true }}>
      <PropertyFields />
      <button type="submit">保存</button>
    </Form>,
  )
  fireEvent.click(screen.getByText('保存'))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('第 3 项的含义')))
})

it('keeps bounds, step and unit when the number type changes', async () => {
  const specs = { min: 0, max: 100, step: 5, unit: '%', scale: 1 }
  let values: unknown
  render(
    <Form
      initialValues={{ dataType: { type: 'int', specs } }}
      onValuesChange={(_, allValues) => (values = allValues)}
    >
      <PropertyFields />
    </Form>,
  )
  for (const [name, kind] of [
    ['单精度浮点', 'float'],
    ['整数', 'int'],
  ] as const) {
    fireEvent.mouseDown(screen.getByLabelText('数据类型'))
    const option = await screen.findByTitle(name)
    await act(async () => void fireEvent.click(option))
    expect(values).toMatchObject({ dataType: { type: kind, specs } })
    expect(screen.getByLabelText<HTMLInputElement>('最大值').value).toBe('100')
  }
})

it('locks types and parameters of a published product, and allows additions', async () => {
  const secondsParam: Param = {
    identifier: 'Seconds',
    name: '时长',
    dataType: { type: 'array', specs: { size: 4, item: { type: 'int', specs: {} } } },
  }
  const lockedEvent = ThingEvent.parse({
    identifier: 'Burnt',
    name: '烧毁',
    type: 'error',
    outputData: [secondsParam],
  })
  render(
    <Form initialValues={{ outputData: lockedEvent.outputData }}>
      <ParameterFields kind="events" lockedFunction={{ kind: 'events', ...lockedEvent }} />
    </Form>,
  )
  expect(screen.getByText('产品已发布，已有参数的标识符和类型不能再改')).toBeTruthy()
  const isDisabled = (label: string) => screen.getByLabelText<HTMLInputElement>(label).disabled
  for (const label of ['的标识符', '的数据类型'])
    expect(isDisabled(`输出参数 1 ${label}`)).toBe(true)
  expect(isDisabled('元素类型')).toBe(true)
  expect(isDisabled('删除输出参数 1')).toBe(true)
  expect(isDisabled('输出参数 1 的名称')).toBe(false)

  fireEvent.click(screen.getByText('添加输出参数'))
  await act(async () => typeInto('输出参数 2 的标识符', 'Seconds'))
  expect(isDisabled('输出参数 2 的标识符')).toBe(false)
  expect(isDisabled('输出参数 1 的标识符')).toBe(true)
})
