import { lazyPart } from '@iot/shared/ui/lazyPart'
import { PartBoundary } from '../../layout/PartBoundary'
import type { DelayedControls as Delayed } from './useDelayedControls'

const DelayedControls = lazyPart(() => import('./DelayedControls'))

/** Shows the delayed commands of a project while there are any. */
export const DelayedControlsCard = ({ delayed }: { delayed: Delayed }) => (
  <PartBoundary>
    {delayed.list && delayed.list.length > 0 && <DelayedControls delayed={delayed} />}
  </PartBoundary>
)
