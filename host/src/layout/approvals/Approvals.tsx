import { lazyPart } from '@iot/shared/ui/lazyPart'
import { PartBoundary } from '../PartBoundary'
import { useApprovals } from './useApprovals'

const ApprovalCards = lazyPart(() => import('./ApprovalCards'))

/** Asks on whatever page one is: there are two minutes to answer. */
export function Approvals() {
  const approvals = useApprovals()
  return (
    <PartBoundary>
      {approvals.shown.length > 0 && <ApprovalCards approvals={approvals} />}
    </PartBoundary>
  )
}
