import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { useState } from 'react'
import type { RowResults } from '@iot/shared/contract/fields.schema'
import { AcknowledgementNote } from '@iot/shared/contract/control/shift.schema'
import type { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import type { shiftApi } from '@iot/shared/contract/control/shift.api'
import { useFeedback } from '@iot/shared/ui/feedback'
import { field } from '@iot/shared/ui/field'
import { useTextDraft } from '@iot/shared/ui/useDraft'
import { PermissionModal } from '@iot/shared/ui/rightModal'
import { focusOnOpen } from '../focusOnOpen'

type AckFormProps = {
  /** Describes the entries to acknowledge, such as `2 条告警`. */
  what: string
  /** The endpoint that `send` calls; its permission is checked. */
  to: typeof incidentApi.acknowledge | typeof shiftApi.acknowledgeScenes
  send: (draft: AcknowledgementNote) => Promise<RowResults>
  /** Note that was typed before some entries could not be acknowledged. */
  note: string
  /** Receives the acknowledged ids. The note is not empty if entries remain, so that the form can offer it again. */
  onDone: (acknowledged: string[], note: string) => void
  onClose: () => void
}

/**
 * Acknowledges entries (已看过) with a note for the next shift. It reports what a colleague did meanwhile and keeps the
 * typed note.
 */
export default function AckForm({
  what,
  to,
  send: acknowledge,
  note,
  onDone,
  onClose,
}: AckFormProps) {
  const { message } = useFeedback()
  const [form] = Form.useForm<AcknowledgementNote>()
  const [draftNote, keepNote, close] = useTextDraft(`acknowledgement/${what}`, note, onClose)
  const [refusedRows, setRefusedRows] = useState<RowResults>([])
  const { run: send, loading } = useRequest(acknowledge, {
    manual: true,
    onError: () => {},
    onSuccess(rows, [draft]) {
      const acknowledgedRows = rows.filter(({ ok }) => ok)
      const failedRows = rows.filter(({ ok }) => !ok)
      onDone(
        acknowledgedRows.map(({ id }) => id),
        failedRows.length > 0 ? draft.note : '',
      )
      if (failedRows.length > 0) return setRefusedRows(failedRows)
      const [first, ...otherRows] = acknowledgedRows.filter(({ reason }) => reason)
      if (first)
        void message.info(
          `${first.name}：${first.reason}${otherRows.length > 0 ? `，另有 ${otherRows.length} 条也已有人确认` : ''}`,
        )
      else void message.success(`已确认 ${acknowledgedRows.length} 条`)
      close()
    },
  })

  return (
    <PermissionModal
      open
      to={to}
      title={`确认 ${what}`}
      width={560}
      okText="确认"
      okButtonProps={{ disabled: refusedRows.length > 0 }}
      confirmLoading={loading}
      onOk={form.submit}
      onCancel={close}
      afterOpenChange={focusOnOpen(() => form.focusField('note'))}
    >
      {refusedRows.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={`${refusedRows.length} 条没有确认，备注已留着，看过后可再确认`}
          description={refusedRows.slice(0, 5).map(({ id, name, reason }) => (
            <div key={id}>
              {name}：{reason}
            </div>
          ))}
        />
      )}
      <Form<AcknowledgementNote>
        form={form}
        layout="vertical"
        initialValues={{ note: draftNote }}
        onValuesChange={(_, values: AcknowledgementNote) => keepNote(values.note)}
        onFinish={send}
        style={{ paddingTop: 8 }}
      >
        <Form.Item {...field(AcknowledgementNote, 'note')}>
          <Input count={{ show: true, max: 200 }} placeholder="如：已报修，明早换驱动" />
        </Form.Item>
      </Form>
    </PermissionModal>
  )
}
