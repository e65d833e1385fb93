import { Alert, Button, Space, type FormInstance } from 'antd'
import dayjs from 'dayjs'
import { useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { dropDraft, keepDraft, lastDraft, readDraft, unfinishedAtom } from '../session/drafts'
import { zoned } from '../client/zone'

/**
 * State for the record being edited, and a strip for the list that offers unsaved input from before a reload, an
 * expired session or a crash.
 * @example const [editing, setEditing, unsaved] = useEditing<Brand | 'new'>('brand', '品牌');
 * {unsaved}… {editing && <BrandForm … />}
 */
export function useEditing<T>(name: string, title: string) {
  const [editing, setEditing] = useState<T>()
  const [last, setLast] = useState(() => lastDraft<T>(name, dayjs))
  const open = (about: T | undefined) => {
    setEditing(about)
    setLast(undefined)
  }
  const what = (about: T) =>
    about === 'new' ? `新建${title}` : `${title}修改：${(about as { name?: string }).name ?? ''}`
  const strip = last && (
    <Alert
      type="warning"
      showIcon
      title={`有未保存的${what(last.draft.about)}（${zoned(last.draft.time).format('M 月 D 日 HH:mm')}）`}
      action={
        <Space>
          <Button size="small" type="primary" onClick={() => open(last.draft.about)}>
            继续
          </Button>
          <Button
            size="small"
            onClick={() => {
              dropDraft(last.name)
              setLast(lastDraft<T>(name, dayjs))
            }}
          >
            放弃
          </Button>
        </Space>
      }
    />
  )
  return [editing, open, strip] as const
}

/**
 * Stores the input of a form per user, address, form and record until `drop`, and restores it when the form opens
 * again.
 * @example const draft = useDraft('brand', form, brand ?? 'new'); <Form onValuesChange={draft.keep}>{draft.hint}…;
 * after saving draft.drop()
 */
export function useDraft(
  of: string | undefined,
  form: FormInstance,
  about: 'new' | { id?: string },
  isDirty: boolean,
  secrets?: string[],
  onGiveUp?: () => void,
) {
  const { pathname } = useLocation()
  const name = of && `${of}/${about === 'new' ? about : about.id}`
  const [kept, setKept] = useState(() => (name ? readDraft(name, dayjs) : undefined))
  const setUnfinished = useSetAtom(unfinishedAtom)

  useEffect(() => {
    if (kept) form.setFieldsValue(kept.values)
  }, [kept, form])
  useEffect(() => {
    if (!isDirty) return
    setUnfinished((all) => [...all, pathname])
    return () =>
      setUnfinished((all) => {
        const at = all.indexOf(pathname)
        return all.filter((_, index) => index !== at)
      })
  }, [isDirty, pathname, setUnfinished])

  const drop = () => name && dropDraft(name, pathname)
  return {
    isRestored: kept !== undefined,
    /** The record on which the restored input is based; another user may have saved it since. */
    about: kept?.about,
    keep: () =>
      name &&
      // Input that continues a restored draft keeps its original base, also after another reload.
      keepDraft(
        name,
        kept?.about ?? about,
        form.getFieldsValue(true) as Record<string, unknown>,
        secrets,
      ),
    drop,
    hint: kept && (
      <Alert
        type="info"
        showIcon
        style={{ marginBottom: 16 }}
        title={`已恢复 ${zoned(kept.time).format('M 月 D 日 HH:mm')} 未保存的内容${kept.files.length ? `；文件需重新选择：${kept.files.join('、')}` : ''}`}
        action={
          <a
            onClick={() => {
              drop()
              form.resetFields()
              setKept(undefined)
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
