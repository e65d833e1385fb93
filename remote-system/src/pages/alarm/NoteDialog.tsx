import { Input, Modal } from 'antd'
import { useState } from 'react'
import { notesMax } from '@iot/shared/contract/fields'

type NoteDialogProps = {
  title: string
  okText: string
  label: string
  isRequired?: boolean
  onSubmit: (note: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for the reason of an action on one or many incidents. */
export default function NoteDialog({
  title,
  okText,
  label,
  isRequired,
  onSubmit,
  onClose,
}: NoteDialogProps) {
  const [note, setNote] = useState('')
  const [isSending, setSending] = useState(false)
  const trimmedNote = note.trim()
  const submit = async () => {
    setSending(true)
    await onSubmit(trimmedNote)
    setSending(false)
    onClose()
  }
  return (
    <Modal
      open
      title={title}
      okText={okText}
      onOk={() => void submit()}
      okButtonProps={{
        loading: isSending,
        disabled: (isRequired && !trimmedNote) || trimmedNote.length > notesMax,
      }}
      onCancel={onClose}
    >
      <Input.TextArea
        autoFocus
        rows={3}
        aria-label={label}
        placeholder={isRequired ? `请填写${label}` : `${label}，可以不填`}
        count={{ show: true, max: notesMax }}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
    </Modal>
  )
}
