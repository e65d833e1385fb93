import { call } from '@iot/shared/client/call'
import { Snapshot } from '@iot/shared/contract/control/snapshot.schema'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { TextItem } from '@iot/shared/ui/items'
import { serverNow } from '@iot/shared/client/serverClock'
import { formatPageTime } from '@iot/shared/client/zone'

type TakeSnapshotFormProps = {
  projectId: number
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function TakeSnapshotForm({ projectId, ...rest }: TakeSnapshotFormProps) {
  return (
    <FormDialog<Pick<Snapshot, 'name'>>
      title="拍摄快照"
      schema={Snapshot}
      initial={{ name: `${formatPageTime(serverNow(), 'MM-DD HH:mm')} 快照` }}
      draft="snapshot"
      to={snapshotApi.take}
      send={({ name }, _, options) => call(snapshotApi.take, { projectId, name }, options)}
      {...rest}
    >
      <TextItem of={Snapshot} name="name" extra="写下为什么拍，例如“三层改造之前”" autoFocus />
    </FormDialog>
  )
}
