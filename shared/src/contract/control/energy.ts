import type { EnergySource } from './energy.schema'

export const maxEnergyDays = 366
export const energySourceText: Record<EnergySource, string> = {
  measured: '实测',
  reckoned: '估算',
  mixed: '部分实测',
  none: '没有数据',
}

/** Share of the rated life in percent from which a lamp is due for replacement soon. */
export const replaceSoonPercent = 90
