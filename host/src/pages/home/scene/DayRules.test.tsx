import { fireEvent, render, screen } from '@testing-library/react'
import { Form, type FormInstance } from 'antd'
import type { Space } from '@iot/shared/contract/project'
import { treeOf } from '@iot/shared/contract/tree'
import { DayRules } from './DayRules'

let form: FormInstance
const keepForm = (opened: FormInstance | null) => void (form = opened ?? form)
function Opened({ weekdays }: { weekdays: number[] }) {
  const triggers = [{ kind: 'weekly', weekdays, time: '18:30' }]
  return (
    <Form ref={keepForm} initialValues={{ triggers, dayMode: 'ignore', dayTypes: [] }}>
      <Form.Item name="triggers" hidden>
        <input />
      </Form.Item>
      <DayRules options={{ spaces: treeOf<Space>([]), groups: [], types: [], calendars: [] }} />
    </Form>
  )
}
// The query goes by text, because jsdom takes seconds to compute the names of all buttons of a calendar.
const press = (name: RegExp) =>
  fireEvent.click(screen.getByText(name, { selector: 'button, button > span' }))
const rules = () => {
  const { triggers, dayMode, dayTypes } = form.getFieldsValue(true) as Record<string, unknown>
  return JSON.stringify([triggers, dayMode, dayTypes])
}

it.each([/^工作日/, /^休息日/, /^避开节假日/])(
  'sets the same by the preset %s, whatever was pressed or chosen before',
  (preset) => {
    render(<Opened weekdays={[6]} />)
    press(preset)
    const alone = rules()
    for (const before of [/^工作日/, /^休息日/, /^避开节假日/]) {
      press(before)
      press(preset)
      expect(rules()).toBe(alone)
    }
  },
)

it('avoids days off from Monday to Friday', () => {
  render(<Opened weekdays={[6]} />)
  press(/^工作日/)
  press(/^避开节假日/)
  expect(rules()).toBe(
    JSON.stringify([
      [{ kind: 'weekly', weekdays: [1, 2, 3, 4, 5], time: '18:30' }],
      'avoid',
      ['statutory', 'lieu'],
    ]),
  )
})
