import { LoadingLines } from '@iot/shared/ui/waitingLines'

/** Height of the chart of an incident with its texts, so that the timeline below does not move when it appears. */
const chartWithTextsHeightPx = 192

export const ChartPlaceholder = () => (
  <div style={{ height: chartWithTextsHeightPx, overflow: 'hidden' }}>
    <LoadingLines lines={6} />
  </div>
)
