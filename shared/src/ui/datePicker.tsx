import AntdDatePicker from 'antd/es/date-picker'
import type { DatePickerProps as DatePickerPropsOf } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat'
import utc from 'dayjs/plugin/utc'
import weekOfYear from 'dayjs/plugin/weekOfYear'
import { nowForPicker } from '../client/zone'

dayjs.extend(utc)
dayjs.extend(customParseFormat)
dayjs.extend(weekOfYear)

type PickerConfig = Parameters<typeof AntdDatePicker.generatePicker<Dayjs>>[0]

/**
 * antd's own pickers compute in the zone of the browser: an hour that its summer time skips cannot be shown or typed
 * there, and “此刻” is the browser's time. These compute with wall times (see `toPickerTime`).
 */
const wallTimeConfig: PickerConfig = {
  getNow: nowForPicker,
  getFixedDate: (text) => dayjs.utc(text),
  getEndDate: (date) => date.endOf('month'),
  getWeekDay: (date) => date.day(),
  getYear: (date) => date.year(),
  getMonth: (date) => date.month(),
  getDate: (date) => date.date(),
  getHour: (date) => date.hour(),
  getMinute: (date) => date.minute(),
  getSecond: (date) => date.second(),
  getMillisecond: (date) => date.millisecond(),
  addYear: (date, count) => date.add(count, 'year'),
  addMonth: (date, count) => date.add(count, 'month'),
  addDate: (date, count) => date.add(count, 'day'),
  setYear: (date, year) => date.year(year),
  setMonth: (date, month) => date.month(month),
  setDate: (date, day) => date.date(day),
  setHour: (date, hour) => date.hour(hour),
  setMinute: (date, minute) => date.minute(minute),
  setSecond: (date, second) => date.second(second),
  setMillisecond: (date, millisecond) => date.millisecond(millisecond),
  isAfter: (a, b) => a.isAfter(b),
  isValidate: (date) => date.isValid(),
  locale: {
    getWeekFirstDay: () => 1,
    getWeekFirstDate: (_, date) => date.subtract((date.day() + 6) % 7, 'day'),
    getWeek: (_, date) => date.week(),
    getShortWeekDays: () => ['日', '一', '二', '三', '四', '五', '六'],
    getShortMonths: () => Array.from({ length: 12 }, (_, month) => `${month + 1}月`),
    format: (_, date, format) => date.format(format),
    parse: (_, text, formats) =>
      formats.map((format) => dayjs.utc(text, format, true)).find((date) => date.isValid()) ?? null,
  },
}

type Pickers = ReturnType<typeof AntdDatePicker.generatePicker<Dayjs>>
const Picker: Pickers = AntdDatePicker.generatePicker(wallTimeConfig)

type DatePickerProps = Pick<
  DatePickerPropsOf<Dayjs>,
  | 'allowClear'
  | 'aria-label'
  | 'disabled'
  | 'format'
  | 'id'
  | 'maxDate'
  | 'minDate'
  | 'placeholder'
  | 'presets'
  | 'showTime'
  | 'size'
  | 'style'
> & { value?: Dayjs | null | undefined; onChange?: (time: Dayjs | null) => void }

/**
 * A date picker whose value is a wall time: `toPickerTime` makes one, `fromPickerTime` returns the time it means. It
 * passes each choice and each typed time on at once, because antd drops what was not confirmed by 确定, and waits for
 * the popup to close before it reports a typed time.
 */
export const DatePicker = ({ onChange, ...props }: DatePickerProps) => (
  <Picker
    {...props}
    needConfirm={false}
    onCalendarChange={(time) => onChange?.(time as Dayjs | null)}
    onChange={(time) => onChange?.(time as Dayjs | null)}
  />
)
export const RangePicker: Pickers['RangePicker'] = Picker.RangePicker
export const TimePicker: Pickers['TimePicker'] = Picker.TimePicker
