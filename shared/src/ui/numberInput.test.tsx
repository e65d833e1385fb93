import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import Form from 'antd/es/form'
import { z } from 'zod'
import '../contract/zod'
import { field } from './field'
import { NumberInput } from './numberInput'

afterEach(cleanup)

const Draft = z.object({
  minutes: z
    .number()
    .int('持续时间为整数')
    .min(0)
    .max(1440, '持续时间最长 1440 分钟')
    .nullable()
    .meta({ title: '持续时间' }),
})

/** Types a text into a form, leaves the field and submits. */
async function submit(text: string) {
  const save = jest.fn<void, [{ minutes: unknown }]>()
  render(
    <Form initialValues={{ minutes: 7 }} onFinish={save}>
      <Form.Item {...field(Draft, 'minutes')}>
        <NumberInput />
      </Form.Item>
      <button type="submit">保存</button>
    </Form>,
  )
  const input = screen.getByRole('spinbutton')
  fireEvent.focus(input)
  fireEvent.input(input, { target: { value: text } })
  fireEvent.blur(input)
  fireEvent.click(screen.getByText('保存'))
  const readError = () => document.querySelector('.ant-form-item-explain-error')?.textContent
  await waitFor(() => expect(save.mock.calls.length > 0 || readError() !== undefined).toBe(true))
  return {
    saved: save.mock.calls.at(-1)?.[0].minutes,
    shown: (input as HTMLInputElement).value,
    error: readError(),
  }
}

it.each([
  ['30', 30],
  ['３０', 30],
  [' 30 ', 30],
  ['0', 0],
  ['1440', 1440],
  ['1e3', 1000],
  ['', null],
])('saves %j as %j', async (text, value) =>
  expect(await submit(text)).toMatchObject({ saved: value, error: undefined }),
)

it.each([
  ['1441', '持续时间最长 1440 分钟'],
  ['99999', '持续时间最长 1440 分钟'],
  ['-5', '持续时间不能小于 0'],
  ['−5', '持续时间不能小于 0'],
  ['1.5', '持续时间为整数'],
  ['1,5', '持续时间不正确'],
  ['5%', '持续时间不正确'],
  ['12ab', '持续时间不正确'],
  ['10:30', '持续时间不正确'],
  ['3～5', '持续时间不正确'],
  ['一百', '持续时间不正确'],
  ['0.1234567890123456', '持续时间不正确'],
])('refuses %j and leaves it in the field', async (text, error) => {
  const result = await submit(text)
  expect(result).toMatchObject({ saved: undefined, error })
  expect(result.shown.replace('-', '−')).toBe(text.replace('-', '−'))
})
