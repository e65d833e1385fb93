import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Space from 'antd/es/space'
import type { FormInstance } from 'antd'
import dayjs from 'dayjs'
import { useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import {
  removeDraft,
  saveDraft,
  findNewestDraft,
  readDraft,
  unsavedFormPathsAtom,
} from '../session/drafts'
import { formatPageTime } from '../client/zone'

/**
 * A strip for a list that offers unsaved input from before a reload, an expired session or a crash.
 * @param parentAddress the forms have addresses of their own below this one; without it, they open on this page
 */
export function useDraftNotice<T>(
  name: string,
  title: string,
  onContinue: (record: T) => void,
  parentAddress?: string,
) {
  const find = () => findNewestDraft<T>(name, dayjs, parentAddress)
  const [newestDraft, setNewestDraft] = useState(find)
  const describeDraft = (record: T) =>
    record === 'new' ? `新建${title}` : `${title}修改：${(record as { name?: string }).name ?? ''}`
  const notice = newestDraft && (
    <Alert
      type="warning"
      showIcon
      title={`有未保存的${describeDraft(newestDraft.draft.about)}（${formatPageTime(newestDraft.draft.time, 'M 月 D 日 HH:mm')}）`}
      action={
        <Space>
          <Button
            size="small"
            type="primary"
            onClick={() => {
              setNewestDraft(undefined)
              onContinue(newestDraft.draft.about)
            }}
          >
            继续
          </Button>
          <Button
            size="small"
            onClick={() => {
              removeDraft(newestDraft.name, newestDraft.address)
              setNewestDraft(find())
            }}
          >
            放弃
          </Button>
        </Space>
      }
    />
  )
  return { notice, hideNotice: () => setNewestDraft(undefined) }
}

/**
 * State for the record being edited, and a strip for the list that offers its unsaved input.
 * @example const [editing, setEditing, unsaved] = useEditing<Brand | 'new'>('brand', '品牌');
 * {unsaved}… {editing && <BrandForm … />}
 */
export function useEditing<T>(name: string, title: string) {
  const [editing, setEditing] = useState<T>()
  const { notice, hideNotice } = useDraftNotice<T>(name, title, (record) => setEditing(record))
  const startEditing = (record: T | undefined) => {
    setEditing(record)
    hideNotice()
  }
  return [editing, startEditing, notice] as const
}

/**
 * Stores the input of a form per user, address, form and record until `discardDraft`, and restores it when the form opens
 * again.
 * @example const draft = useDraft('brand', form, brand ?? 'new'); <Form onValuesChange={draft.keep}>{draft.hint}…;
 * after saving draft.drop()
 */
export function useDraft(
  formName: string | undefined,
  form: FormInstance,
  record: 'new' | { id?: string },
  isDirty: boolean,
  secrets?: string[],
  onGiveUp?: () => void,
) {
  const { pathname } = useLocation()
  const draftName = formName && `${formName}/${record === 'new' ? record : record.id}`
  const [restoredDraft, setRestoredDraft] = useState(() =>
    draftName ? readDraft(draftName, dayjs) : undefined,
  )
  const setUnsavedPaths = useSetAtom(unsavedFormPathsAtom)

  useEffect(() => {
    if (restoredDraft) form.setFieldsValue(restoredDraft.values)
  }, [restoredDraft, form])
  useEffect(() => {
    if (!isDirty) return
    setUnsavedPaths((paths) => [...paths, pathname])
    return () =>
      setUnsavedPaths((paths) => {
        const firstIndex = paths.indexOf(pathname)
        return paths.filter((_, index) => index !== firstIndex)
      })
  }, [isDirty, pathname, setUnsavedPaths])

  const discardDraft = () => draftName && removeDraft(draftName, pathname)
  return {
    isRestored: restoredDraft !== undefined,
    /** The record on which the restored input is based; another user may have saved it since. */
    about: restoredDraft?.about,
    keep: () =>
      draftName &&
      // Input that continues a restored draft keeps its original base, also after another reload.
      saveDraft(
        draftName,
        restoredDraft?.about ?? record,
        form.getFieldsValue(true) as Record<string, unknown>,
        secrets,
      ),
    drop: discardDraft,
    hint: restoredDraft && (
      <Alert
        type="info"
        showIcon
        style={{ marginBottom: 16 }}
        title={`已恢复 ${formatPageTime(restoredDraft.time, 'M 月 D 日 HH:mm')} 未保存的内容${restoredDraft.files.length ? `；文件需重新选择：${restoredDraft.files.join('、')}` : ''}`}
        action={
          <a
            onClick={() => {
              discardDraft()
              form.resetFields()
              setRestoredDraft(undefined)
              onGiveUp?.()
            }}
          >
            放弃
          </a>
        }
      />
    ),
  }
}

/** Returns the stored draft of a single text field, for a question that is no component of its own. */
export const openTextDraft = (name: string, initialText = '') => ({
  text: String(readDraft(name, String)?.values.text ?? initialText),
  save: (newText: string) => saveDraft(name, 'new', { text: newText }),
  discard: () => removeDraft(name),
})

/**
 * State of a single text field that is stored as a draft until `discard`, so that it survives the end of the session.
 * @param onClose closes the form of the field; `discard` calls it too
 * @example const [note, setNote, close] = useTextDraft('note/…', '', onClose)
 */
export function useTextDraft(name: string, initialText = '', onClose?: () => void) {
  const [text, setText] = useState(() => openTextDraft(name, initialText).text)
  const { save, discard } = openTextDraft(name)
  const changeText = (newText: string) => {
    setText(newText)
    save(newText)
  }
  const discardAndClose = () => {
    discard()
    onClose?.()
  }
  return [text, changeText, discardAndClose] as const
}
