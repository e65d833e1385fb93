import { call } from '@iot/shared/client/call'
import type { Project } from '@iot/shared/contract/project/managedProject.schema'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import {
  listNextStatuses,
  projectStatusHint,
  projectStatusText,
  type ProjectStatus,
} from '@iot/shared/contract/project/projectStatus'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'

/** Returns the entries of the menu ⋮ that change the status; each is confirmed with its consequences. */
export function useStatusActions(onSaved: (row: Project) => void) {
  const { modal, message } = useFeedback()

  const confirmStatus = ({ id, version, name }: Project, status: ProjectStatus) =>
    modal.confirm({
      title: `“${name}”改为${projectStatusText[status]}？`,
      content: projectStatusHint[status],
      okText: `改为${projectStatusText[status]}`,
      okButtonProps: { danger: status === 'stopped' },
      onOk: () =>
        call(managedProjectApi.setStatus, { id, version, status }).then((row) => {
          onSaved(row)
          message.success(`“${name}”已改为${projectStatusText[status]}`)
        }, ignoreHandled),
    })
  return (project: Project) =>
    listNextStatuses(project.status).map((status) => ({
      label: `改为${projectStatusText[status]}`,
      to: managedProjectApi.setStatus,
      danger: status === 'stopped',
      onClick: () => confirmStatus(project, status),
    }))
}
