import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import Form from 'antd/es/form'
import type { FormInstance } from 'antd'
import type { Space } from '@iot/shared/contract/project/project.schema'
import { createTree } from '@iot/shared/contract/tree'
import { DayRules } from './DayRules'

let form: FormInstance
const storeForm = (mountedForm: FormInstance | null) => void (form = mountedForm ?? form)
function DayRulesForm({ weekdays }: { weekdays: number[] }) {
  const triggers = [{ kind: 'weekly', weekdays, time: '18:30' }]
  return (
    <Form ref={storeForm} initialValues={{ triggers, dayMode: 'ignore', dayTypes: [] }}>
      <Form.Item name="triggers" hidden>
        <input />
      </Form.Item>
      <DayRules options={{ spaces: createTree<Space>([]), groups: [], types: [], calendars: [] }} />
    </Form>
  )
}
// Presets are found by text, because computing the accessible names of a whole calendar takes seconds in jsdom.
const clickButton = (name: RegExp) =>
  fireEvent.click(screen.getByText(name, { selector: '[aria-label="常用规则"] label > span' }))
const listChosenPresets = () =>
  [...document.querySelectorAll<HTMLInputElement>('[aria-label="常用规则"] input:checked')].map(
    ({ value }) => value,
  )
const readRules = () => {
  const { triggers, dayMode, dayTypes } = form.getFieldsValue(true) as Record<string, unknown>
  return JSON.stringify([triggers, dayMode, dayTypes])
}

it.each([/^工作日/, /^休息日/, /^避开节假日/])(
  'applies the preset %s independently of former choices, and shows it alone',
  async (preset) => {
    render(<DayRulesForm weekdays={[6]} />)
    clickButton(preset)
    const presetRules = readRules()
    for (const before of [/^工作日/, /^休息日/, /^避开节假日/]) {
      clickButton(before)
      clickButton(preset)
      expect(readRules()).toBe(presetRules)
    }
    // The form tells its observers about several changes at once, later.
    await waitFor(() => expect(listChosenPresets()).toEqual([expect.stringMatching(preset)]))
  },
)

it('limits the preset for days off to Monday to Friday', () => {
  render(<DayRulesForm weekdays={[6]} />)
  clickButton(/^工作日/)
  clickButton(/^避开节假日/)
  expect(readRules()).toBe(
    JSON.stringify([
      [{ kind: 'weekly', weekdays: [1, 2, 3, 4, 5], time: '18:30' }],
      'avoid',
      ['statutory', 'lieu'],
    ]),
  )
})
