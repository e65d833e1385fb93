import { Card } from '@iot/shared/ui/card'
import { useState } from 'react'
import { Incidents } from './Incidents'
import { ShiftButton } from './ShiftButton'
import { UnfinishedScenes } from './UnfinishedScenes'
import type { ShiftProps } from './useShift'

/** Shows the number of unacknowledged events as a card of a view. */
export default function ShiftCard({ title, ...shiftProps }: ShiftProps & { title: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title={title} extra={<ShiftButton {...shiftProps} isOpen={isOpen} onOpen={setOpen} />}>
      <UnfinishedScenes projectId={shiftProps.projectId} />
      <Incidents
        projectId={shiftProps.projectId}
        tree={shiftProps.tree}
        onLocate={shiftProps.onLocate}
      />
    </Card>
  )
}
