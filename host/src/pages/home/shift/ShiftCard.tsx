import { Card } from '@iot/shared/ui/card'
import { useState } from 'react'
import { Incidents } from './Incidents'
import { ShiftButton } from './ShiftButton'
import { UnfinishedScenes } from './UnfinishedScenes'
import type { ShiftProps } from './useShift'

/** Shows the number of unacknowledged events as a card of a view. */
export default function ShiftCard({ title, ...of }: ShiftProps & { title: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title={title} extra={<ShiftButton {...of} isOpen={isOpen} onOpen={setOpen} />}>
      <UnfinishedScenes projectId={of.projectId} />
      <Incidents projectId={of.projectId} tree={of.tree} onLocate={of.onLocate} />
    </Card>
  )
}
