import { NumberInput } from '@iot/shared/ui/numberInput'
import useRequest from 'ahooks/es/useRequest'
import Form from 'antd/es/form'
import Modal from 'antd/es/modal'
import Skeleton from 'antd/es/skeleton'
import { call } from '@iot/shared/client/call'
import { formatPageTime } from '@iot/shared/client/zone'
import { toTextOptions } from '@iot/shared/contract/options'
import { snapshotIntervalText } from '@iot/shared/contract/control/snapshot'
import { SnapshotSchedule } from '@iot/shared/contract/control/snapshot.schema'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { RadioItem } from '@iot/shared/ui/items'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'

type ScheduleFormProps = { projectId: number; onSaved: () => void; onClose: () => void }

const intervalOptions = toTextOptions(snapshotIntervalText)

/** Edits the schedule of automatic snapshots and the number that is kept. */
export default function ScheduleForm({ projectId, onSaved, onClose }: ScheduleFormProps) {
  const { data, error, refresh } = useRequest(() =>
    call(snapshotApi.schedule, { projectId }, { inline: true }),
  )
  const [form] = Form.useForm<SnapshotSchedule>()
  const isOff = (Form.useWatch('every', form) ?? data?.every) === 'off'
  if (!data)
    return (
      <Modal open title="定时拍摄快照" width={560} footer={null} onCancel={onClose}>
        {error ? (
          <LoadErrorAlert why={error.message} hasRows={false} onRetry={refresh} />
        ) : (
          <Skeleton active title={false} paragraph={{ rows: 3 }} />
        )}
      </Modal>
    )
  const { id, version, every, keep, nextTime } = data
  return (
    <FormDialog<SnapshotSchedule>
      title="定时拍摄快照"
      schema={SnapshotSchedule}
      form={form}
      initial={{ id, version, every, keep }}
      draft="snapshotSchedule"
      to={snapshotApi.setSchedule}
      send={({ every, keep }, revision, options) =>
        call(
          snapshotApi.setSchedule,
          { projectId, version: revision!.version, every, keep },
          options,
        )
      }
      onSaved={onSaved}
      onClose={onClose}
    >
      <RadioItem
        of={SnapshotSchedule}
        name="every"
        extra={
          nextTime
            ? `下一次：${formatPageTime(nextTime, 'YYYY-MM-DD HH:mm')}（项目时区）；和上一份快照一样时不重复拍`
            : '按项目的时区；和上一份快照一样时不重复拍'
        }
        options={intervalOptions}
      />
      <Form.Item
        {...field(SnapshotSchedule, 'keep')}
        extra="超过的删除最早的定时快照；手动拍摄的不受影响"
      >
        <NumberInput suffix="份" disabled={isOff} />
      </Form.Item>
    </FormDialog>
  )
}
