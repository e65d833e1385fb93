import type { Problem } from '@iot/shared/contract/device.schema'
import { Card } from '@iot/shared/ui/card'
import { HomeIncidents } from '../incidents/HomeIncidents'
import { ProblemStrip } from '../ProblemStrip'
import type { Home } from '../useHome'
import { useProblems, type Problems } from '../../../layout/alerts/useProblems'
import { toScopeParams, type CardScope } from './scope'

type ProblemsCardProps = {
  home: Home
  scope: CardScope
  where: string
  onShow: (problem: Problem) => void
}

/** Shows the incidents of the project, which home has read anyway, or of a part of it. */
export const ProblemsCard = ({ scope, where, ...stripProps }: ProblemsCardProps) =>
  scope.kind === 'project' ? (
    <ProblemStripCard {...stripProps} problems={stripProps.home.problems} />
  ) : (
    <ScopedProblems {...{ ...stripProps, scope, where }} />
  )

function ScopedProblems({ scope, where, ...stripProps }: ProblemsCardProps) {
  const { projectId, tasks } = stripProps.home
  const problems = useProblems(projectId, tasks.ended, toScopeParams(scope))
  return <ProblemStripCard {...stripProps} problems={problems} where={where} />
}

type ProblemStripCardProps = Pick<ProblemsCardProps, 'home' | 'onShow'> & {
  problems: Problems
  where?: string
}
const ProblemStripCard = ({
  home: { projectId, tree, busy, modes, ask },
  ...stripProps
}: ProblemStripCardProps) => (
  <Card>
    <ProblemStrip {...{ projectId, tree, busy, modes, ...stripProps }} wrapped onAsk={ask} />
    {!stripProps.where && <HomeIncidents projectId={projectId} />}
  </Card>
)
