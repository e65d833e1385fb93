import type { PlanPosition } from './arrangement'

const formatPercent = (share: number) => `${(share * 100).toFixed(1)}%`
export const describePosition = ({ x, y }: PlanPosition) =>
  `距左边 ${formatPercent(x)}，距上边 ${formatPercent(y)}`
