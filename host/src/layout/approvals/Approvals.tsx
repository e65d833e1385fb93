import ApprovalCards from './ApprovalCards'
import { useApprovals } from './useApprovals'

/** Shows approvals on every page, because there are only two minutes to answer one. */
export default function Approvals() {
  const approvals = useApprovals()
  return approvals.shown.length > 0 && <ApprovalCards approvals={approvals} />
}
