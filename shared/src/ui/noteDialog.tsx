import Input from 'antd/es/input'
import Modal from 'antd/es/modal'
import { useState } from 'react'
import { ignoreHandled } from '../client/call'
import { notesMax } from '../contract/fields'
import { useTextDraft } from './useDraft'

type NoteDialogProps = {
  title: string
  okText: string
  label: string
  isRequired?: boolean
  /** The dialog keeps the text if this rejects. */
  onSubmit: (note: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for a note, such as the reason of an action on one or many incidents. */
export default function NoteDialog({
  title,
  okText,
  label,
  isRequired,
  onSubmit,
  onClose,
}: NoteDialogProps) {
  const [note, setNote, close] = useTextDraft(`note/${title}`, '', onClose)
  const [isSending, setSending] = useState(false)
  const trimmedNote = note.trim()
  const submit = async () => {
    setSending(true)
    try {
      await onSubmit(trimmedNote)
      close()
    } catch (error) {
      ignoreHandled(error)
    } finally {
      setSending(false)
    }
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
      onCancel={close}
    >
      <Input
        autoFocus
        aria-label={label}
        placeholder={isRequired ? `请填写${label}` : `${label}，可以不填`}
        count={{ show: true, max: notesMax }}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
    </Modal>
  )
}
