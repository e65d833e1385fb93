import { fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import type { Param } from '@iot/shared/contract/thingModel/thingModel.schema'
import { ParamsField } from './ParamsField'

const createEnumParam = (identifier: string, specs: Record<string, string>): Param => ({
  identifier,
  name: identifier,
  dataType: { type: 'enum', specs },
})
const onChangeMock = jest.fn()
function Members() {
  const [value, setValue] = useState([
    createEnumParam('First', { 0: '关' }),
    createEnumParam('Second', { 0: '停', 5: '走' }),
    createEnumParam('Third', { 1: '低', 2: '高' }),
  ])
  return (
    <ParamsField
      entryLabel="成员"
      types={['enum', 'text']}
      value={value}
      onChange={(next) => (onChangeMock(next), setValue(next))}
    />
  )
}
const getMember = (number: number) => within(screen.getByRole('group', { name: `成员 ${number}` }))
const getInput = (number: number, name: string) =>
  getMember(number).getByLabelText<HTMLInputElement>(name)

it('moves the values and errors of a member to its new position after a deletion', () => {
  render(<Members />)
  const value = getInput(3, '第 2 项的枚举值')
  fireEvent.change(value, { target: { value: '1' } })
  expect(value).toHaveProperty('className', expect.stringContaining('status-error'))
  fireEvent.click(screen.getByRole('button', { name: '删除成员 2' }))

  expect(getInput(2, '成员 2 的标识符').value).toBe('Third')
  expect(getInput(2, '第 1 项的含义').value).toBe('低')
  expect(getInput(2, '第 2 项的枚举值').value).toBe('1')
  expect(getInput(2, '第 2 项的枚举值').className).toContain('status-error')
  expect(getInput(1, '第 1 项的枚举值').className).not.toContain('status-error')
  expect(screen.queryByRole('group', { name: '成员 3' })).toBeNull()
  fireEvent.change(getInput(2, '第 2 项的枚举值'), { target: { value: '9' } })
  expect(onChangeMock).toHaveBeenLastCalledWith([
    createEnumParam('First', { 0: '关' }),
    createEnumParam('Third', { 1: '低', 9: '高' }),
  ])
})
