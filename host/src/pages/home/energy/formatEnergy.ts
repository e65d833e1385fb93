import { energySourceText } from '@iot/shared/contract/control/energy'
import type { EnergySource } from '@iot/shared/contract/control/energy.schema'

type EnergyFigure = { wattHours: number | null; source: EnergySource }

/** Formats energy as `640 Wh` below one kilowatt-hour, as `12.34 kWh` below a hundred, and as `310 kWh` above. */
export function formatWattHours(wattHours: number | null) {
  if (wattHours === null) return '未知'
  // A value that would round to 1000 Wh is shown as 1.00 kWh.
  if (Math.round(wattHours) < 1000) return `${Math.round(wattHours)} Wh`
  return `${(wattHours / 1000).toFixed(wattHours < 100_000 ? 2 : 0)} kWh`
}

/** `昨天此时 10.00 kWh，多 23%`: compares today with yesterday up to the same time of day. */
export function formatSameHour(wattHours: number | null, today: number | null) {
  if (wattHours === null) return '昨天此时未知'
  const yesterdayText = `昨天此时 ${formatWattHours(wattHours)}`
  if (today === null || wattHours === 0) return yesterdayText
  const percent = Math.round((today / wattHours - 1) * 100)
  return `${yesterdayText}，${percent === 0 ? '相当' : `${percent > 0 ? '多' : '少'} ${Math.abs(percent)}%`}`
}

/** `12.34 kWh（估算）` */
export const formatFigure = ({ wattHours, source }: EnergyFigure) =>
  wattHours === null ? '未知' : `${formatWattHours(wattHours)}（${energySourceText[source]}）`
