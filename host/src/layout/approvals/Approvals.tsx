import ApprovalCards from './ApprovalCards'
import { useApprovals } from './useApprovals'

/** Asks on whatever page one is: there are two minutes to answer. */
export default function Approvals() {
  const approvals = useApprovals()
  return approvals.shown.length > 0 && <ApprovalCards approvals={approvals} />
}
