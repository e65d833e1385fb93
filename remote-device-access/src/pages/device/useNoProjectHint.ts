import { useAtomValue } from 'jotai'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { useCan } from '@iot/shared/session/can'
import { noProjectReasonAtom } from '@iot/shared/session/project'

/** Returns the hint for a platform without projects; it depends on the user's permissions. */
export function useNoProjectHint() {
  const can = useCan()
  const noProjectReason = useAtomValue(noProjectReasonAtom)
  return (
    noProjectReason &&
    (can(managedProjectApi.create) ? noProjectReason : '没有分配给您的项目，请联系管理员')
  )
}
