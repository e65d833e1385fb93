import { useAtomValue } from 'jotai'
import { managedProjectApi } from '@iot/shared/contract/managedProject'
import { useCan } from '@iot/shared/session/can'
import { noProjectAtom } from '@iot/shared/session/project'

/** Returns the hint for a platform without projects; it depends on the user's permissions. */
export function useNoProject() {
  const can = useCan()
  const none = useAtomValue(noProjectAtom)
  return none && (can(managedProjectApi.create) ? none : '没有分配给您的项目，请联系管理员')
}
