import { useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { Output } from '@iot/shared/contract/endpoint'
import { Project } from '@iot/shared/contract/project/managedProject.schema'
import { CloneDraft, type Snapshot } from '@iot/shared/contract/control/snapshot.schema'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import { paths } from '@iot/shared/screens/paths'
import { useFeedback } from '@iot/shared/ui/feedback'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { TextItem } from '@iot/shared/ui/items'
import { uniqueCheck } from '@iot/shared/ui/taken'

type CloneFormProps = { snapshot: Snapshot; onClose: () => void }

/** Creates a project from a snapshot. */
export default function CloneForm({ snapshot, onClose }: CloneFormProps) {
  const { modal } = useFeedback()
  const navigate = useNavigate()

  const openClonedProject = ({
    project,
    spaces,
    scenes,
    leftOut: skippedScenes,
  }: Output<typeof snapshotApi.clone>) => {
    void navigate(`${paths.system.project()}/${project.id}`)
    if (skippedScenes.length > 0)
      modal.info({
        title: `已新建项目“${project.name}”`,
        content: `复制了 ${spaces} 个空间、${scenes} 个场景。这些场景只控制单个设备，没有复制：${skippedScenes.join('、')}`,
      })
  }

  return (
    <FormDialog<CloneDraft>
      title={`以“${snapshot.name}”新建项目`}
      schema={Project}
      initial={{ name: '', code: '', groupName: '' }}
      draft={`snapshotClone/${snapshot.id}`}
      to={snapshotApi.clone}
      send={({ name, code, groupName }, _, options) =>
        call(snapshotApi.clone, { id: snapshot.id, name, code, groupName }, options)
      }
      onSaved={(cloneResult) => openClonedProject(cloneResult as Output<typeof snapshotApi.clone>)}
      onClose={onClose}
    >
      <p style={{ marginTop: 0 }}>
        复制 {snapshot.spaceCount} 个空间和 {snapshot.sceneCount} 个场景，编号都是新的；
        {snapshot.deviceCount} 台设备有各自的密钥，不复制，请在新项目里登记。
      </p>
      <TextItem of={CloneDraft} name="name" autoFocus />
      <TextItem
        of={CloneDraft}
        name="code"
        check={uniqueCheck('project', 'code')}
        extra="保存后不能修改"
      />
      <TextItem of={CloneDraft} name="groupName" extra="项目切换器里的分组" />
    </FormDialog>
  )
}
