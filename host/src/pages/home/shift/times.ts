import dayjs from 'dayjs'

/** Today by its time alone. */
export const timeText = (time: string) =>
  dayjs(time).format(dayjs(time).isSame(dayjs(), 'day') ? 'HH:mm' : 'MM-DD HH:mm')
