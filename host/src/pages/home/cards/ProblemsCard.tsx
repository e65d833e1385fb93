import { Card } from '@iot/shared/ui/card'
import { useProblems } from '../useProblems'
import { ProblemStrip, type ProblemStripProps } from '../ProblemStrip'
import type { Home } from '../useHome'
import { toScopeParams, type CardScope } from './scope'

type ProblemsCardProps = Pick<ProblemStripProps, 'onLocate'> & {
  home: Home
  scope: CardScope
  where: string
}

/** Lists the incidents of the project or of a part of it. Home has read those of the project, so they are not read again. */
export const ProblemsCard = ({ scope, where, ...stripProps }: ProblemsCardProps) =>
  scope.kind === 'project' ? (
    <ProblemStripCard {...stripProps} problems={stripProps.home.problems} />
  ) : (
    <ScopedProblems {...{ ...stripProps, scope, where }} />
  )

function ScopedProblems({ scope, ...stripProps }: ProblemsCardProps) {
  const { projectId, tasks } = stripProps.home
  const scopeParams = toScopeParams(scope)
  const problems = useProblems(projectId, tasks.ended, scopeParams)
  return <ProblemStripCard {...stripProps} problems={problems} scope={scopeParams} />
}

type ProblemStripCardProps = Pick<
  ProblemStripProps,
  'onLocate' | 'problems' | 'scope' | 'where'
> & { home: Home }
const ProblemStripCard = ({
  home: { projectId, tree, busy, modes, ask },
  ...stripProps
}: ProblemStripCardProps) => (
  <Card>
    <ProblemStrip {...{ projectId, tree, busy, modes, ...stripProps }} wrapped onAsk={ask} />
  </Card>
)
