import { Alert, type FormInstance } from 'antd'
import dayjs from 'dayjs'
import { useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { dropDraft, keepDraft, readDraft, unfinishedAtom } from '../session/drafts'

const read = <T,>(name: string) => readDraft<T>(name, dayjs)

/**
 * Which record a form is open for. After a reload, a lost session or a crash it opens again where something was typed.
 * @example const [editing, setEditing] = useEditing<Brand | 'new'>('brand'); {editing && <BrandForm … />}
 */
export const useEditing = <T,>(name: string) => useState<T | undefined>(() => read<T>(name)?.about)

/**
 * Keeps what is typed into a form, per user, address and form, until `drop`; gives it back when the form opens again.
 * @example const draft = useDraft('brand', form, brand ?? 'new'); <Form onValuesChange={draft.keep}>{draft.hint}…; after saving draft.drop()
 */
export function useDraft(
  name: string | undefined,
  form: FormInstance,
  about: unknown,
  isDirty: boolean,
  secrets?: string[],
) {
  const { pathname } = useLocation()
  const [kept, setKept] = useState(() => (name ? read(name) : undefined))
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

  const drop = () => name && dropDraft(name)
  return {
    isRestored: kept !== undefined,
    keep: () =>
      name && keepDraft(name, about, form.getFieldsValue(true) as Record<string, unknown>, secrets),
    drop,
    hint: kept && (
      <Alert
        type="info"
        showIcon
        style={{ marginBottom: 16 }}
        title={`已恢复 ${dayjs(kept.time).format('M 月 D 日 HH:mm')} 未保存的内容${kept.files.length ? `；文件需重新选择：${kept.files.join('、')}` : ''}`}
        action={
          <a
            onClick={() => {
              drop()
              form.resetFields()
              setKept(undefined)
            }}
          >
            放弃
          </a>
        }
      />
    ),
  }
}
