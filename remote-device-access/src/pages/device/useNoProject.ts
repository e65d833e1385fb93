import { useAtomValue } from 'jotai'
import { managedProjectApi } from '@iot/shared/contract/managedProject'
import { useCan } from '@iot/shared/session/can'
import { noProjectAtom } from '@iot/shared/session/project'

/** Why there is nothing of the current project: there is none. What can be done depends on who is asked. */
export function useNoProject() {
  const can = useCan()
  const none = useAtomValue(noProjectAtom)
  return none && (can(managedProjectApi.create) ? none : '没有分配给您的项目，请联系管理员')
}
