import { sourceText, type EnergySource } from '@iot/shared/contract/energy'

type Figure = { wattHours: number | null; source: EnergySource }

export const kilowattHours = (wattHours: number | null) =>
  wattHours === null ? '未知' : `${(wattHours / 1000).toFixed(wattHours < 100_000 ? 2 : 0)} kWh`
/** The day of the site, where days are counted, wherever the browser stands. */
export const today = () => new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' })

/** `12.34 kWh（估算）` */
export const figureText = ({ wattHours, source }: Figure) =>
  wattHours === null ? '未知' : `${kilowattHours(wattHours)}（${sourceText[source]}）`
