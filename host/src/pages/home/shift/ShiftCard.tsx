import { Card } from '@iot/shared/ui/card'
import { Incidents } from './Incidents'
import { ShiftButton } from './ShiftButton'
import type { ShiftProps } from './useShift'

/** What nobody acknowledged, on a view of its own. */
export default function ShiftCard({ title, ...of }: ShiftProps & { title: string }) {
  return (
    <Card title={title} extra={<ShiftButton {...of} />}>
      <Incidents projectId={of.projectId} tree={of.tree} onLocate={of.onLocate} />
    </Card>
  )
}
