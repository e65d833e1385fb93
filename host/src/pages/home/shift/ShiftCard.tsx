import { Card } from '@iot/shared/ui/card'
import { useOpenIncidents } from '@iot/shared/ui/useOpenIncidents'
import { useState } from 'react'
import { ShiftButton } from './ShiftButton'
import { ShiftIncidents } from './ShiftIncidents'
import { UnfinishedScenes } from './UnfinishedScenes'
import type { ShiftProps } from './useShift'

/** Shows what the next shift takes over as a card of a view. */
export default function ShiftCard({ title, ...shiftProps }: ShiftProps & { title: string }) {
  const [isOpen, setOpen] = useState(false)
  const incidents = useOpenIncidents({ projectId: shiftProps.projectId })
  return (
    <Card title={title} extra={<ShiftButton {...shiftProps} isOpen={isOpen} onOpen={setOpen} />}>
      <UnfinishedScenes projectId={shiftProps.projectId} />
      <ShiftIncidents incidents={incidents} />
    </Card>
  )
}
