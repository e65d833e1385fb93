/** @jest-environment ./scripts/jest/newYork.js */
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { Dayjs } from 'dayjs'
import { formatPageTime, fromPickerTime, toPickerTime } from '../client/zone'
import { learnServerTime } from '../client/serverClock'
import { DatePicker, RangePicker, TimePicker } from './datePicker'

afterEach(cleanup)

/** Times of day in Shanghai, each at a date on which the clock of New York skips or repeats it, and an hour around. */
const wallTimes = ['2026-03-08', '2026-11-01'].flatMap((date) =>
  ['00:30', '01:30', '02:00', '02:30', '02:59', '03:30'].map((clock) => `${date} ${clock}`),
)
const toIso = (wallTime: string) => new Date(`${wallTime.replace(' ', 'T')}+08:00`).toISOString()
const format = 'YYYY-MM-DD HH:mm'

it('runs in a zone with summer time', () => expect(new Date(2026, 2, 8, 2, 30).getHours()).toBe(3))

describe.each(wallTimes)('%s in Shanghai, seen from New York', (wallTime) => {
  it('is shown as it is', () => expect(formatPageTime(toIso(wallTime), format)).toBe(wallTime))
  it('is kept by a picker that is left alone', () => {
    expect(fromPickerTime(toPickerTime(toIso(wallTime))).toISOString()).toBe(toIso(wallTime))
    render(<DatePicker showTime format={format} value={toPickerTime(toIso(wallTime))} />)
    expect(screen.getByDisplayValue(wallTime)).toBeTruthy()
  })
  it('can be typed', () => {
    const change = jest.fn<void, [Dayjs | null]>()
    render(<DatePicker showTime format={format} onChange={change} />)
    const input = screen.getByRole('textbox')
    fireEvent.mouseDown(input)
    fireEvent.change(input, { target: { value: wallTime } })
    // A press of 保存 may follow at once.
    expect(fromPickerTime(change.mock.lastCall![0]!).toISOString()).toBe(toIso(wallTime))
  })
  it('is kept by a range', () => {
    const range: [Dayjs, Dayjs] = [toPickerTime(toIso(wallTime)), toPickerTime(toIso(wallTime))]
    render(<RangePicker showTime format={format} value={range} />)
    expect(screen.getAllByDisplayValue(wallTime)).toHaveLength(2)
  })
})

it('takes 此刻 from the clock of the server in the zone of the page', () => {
  learnServerTime(Date.parse('2026-07-01T16:30:00Z'), Date.now(), Date.now())
  const change = jest.fn<void, [Dayjs | null]>()
  render(<TimePicker format="HH:mm" open needConfirm={false} onChange={change} />)
  fireEvent.click(screen.getByText('Now'))
  expect(change.mock.lastCall![0]!.format(format)).toBe('2026-07-02 00:30')
})
