import type { Problem } from '@iot/shared/contract/device'
import { Card } from '@iot/shared/ui/card'
import { ProblemStrip } from '../ProblemStrip'
import type { Home } from '../useHome'
import { useProblems, type Problems } from '../../../layout/alerts/useProblems'
import { amongOf, type CardScope } from './scope'

type ProblemsCardProps = {
  home: Home
  scope: CardScope
  where: string
  onShow: (problem: Problem) => void
}

/** Shows the incidents of the project, which home has read anyway, or of a part of it. */
export const ProblemsCard = ({ scope, where, ...of }: ProblemsCardProps) =>
  scope.kind === 'project' ? (
    <Strip {...of} problems={of.home.problems} />
  ) : (
    <ProblemsWithin {...{ ...of, scope, where }} />
  )

function ProblemsWithin({ scope, where, ...of }: ProblemsCardProps) {
  const { projectId, tasks } = of.home
  const problems = useProblems(projectId, tasks.ended, amongOf(scope))
  return <Strip {...of} problems={problems} where={where} />
}

type StripProps = Pick<ProblemsCardProps, 'home' | 'onShow'> & {
  problems: Problems
  where?: string
}
const Strip = ({ home: { projectId, tree, busy, modes, ask }, ...of }: StripProps) => (
  <Card>
    <ProblemStrip {...{ projectId, tree, busy, modes, ...of }} wrapped onAsk={ask} />
  </Card>
)
