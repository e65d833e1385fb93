import { useMemoizedFn } from 'ahooks'
import { App, Button, Drawer, Form, Space, type FormInstance } from 'antd'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { call, CallError, missingRight, newPress } from '../client/call'
import { titleOf } from '../contract/titleOf'
import {
  askedBy,
  codes,
  type Endpoint,
  type FieldErrors,
  type Input,
  type Output,
} from '../contract/endpoint'
import { Because, useRefusal, type Asked } from './right'
import { CannotSave, RightModal } from './rightModal'
import { Conflict, mergeRows, type Show, type Stored, type Values } from './conflict'
import { leaving, useLeaving } from './leaving'
import { useDraft } from './useDraft'

type Revision = { id: string; version: number }
type Options = { handles: number[]; press?: string }
const dialogBody = {
  maxHeight: 'calc(100vh - 200px)',
  overflowY: 'auto',
  overflowX: 'hidden',
  paddingTop: 8,
} as const
/** Selector of the first field that accepts typing. */
const firstField =
  'input:not([disabled], [type=radio], [type=checkbox], [type=file]), textarea:not([disabled])'
const handles: number[] = [codes.fields, codes.version, missingRight]

/**
 * Creates a record or updates a stored one. It sends the fields of the draft schemas alone, because endpoints have no
 * input schema in the browser.
 * @example <FormDialog send={sendTo(brandApi, BrandDraft)} … />
 */
export const sendTo = <C extends Endpoint, U extends Endpoint>(
  { create, update }: { create: C; update: U },
  draftSchema: z.ZodObject,
  changeSchema = draftSchema,
) =>
  Object.assign(
    (
      draft: object,
      revision: Revision | undefined,
      options: Options,
    ): Promise<Output<C> | Output<U>> =>
      revision
        ? call(update, { ...askedBy(changeSchema, draft), ...revision } as Input<U>, options)
        : call(create, askedBy(draftSchema, draft) as Input<C>, options),
    { create, update },
  )

const nameOf = (row: unknown) =>
  typeof row === 'object' && row !== null && 'name' in row && typeof row.name === 'string'
    ? `“${row.name}”`
    : ''

type Send<D> = (draft: D, revision: Revision | undefined, options: Options) => Promise<unknown>
/**
 * Every form names its call, by `sendTo` or `to`, because it cannot save without the permission. A form of an older
 * remote may name none; the refusal of the server then informs the user.
 */
type Sending<D> =
  | { send: Send<D> & { create: Asked; update: Asked }; to?: Asked; unless?: undefined }
  | { send: Send<D>; to: Asked; unless?: undefined }
  /** `unless`: why nothing can be saved, as whoever opened the form knows it. */
  | { send: Send<D>; to?: undefined; unless?: string | false }
type FormDialogProps<D extends object> = Sending<D> & {
  title: string
  /** Supplies the field titles for the conflict dialog. */
  schema: z.ZodObject
  /** A new record, or a stored row with id and version. */
  initial: D & Partial<Revision>
  /** Called with the response of the server, usually the saved row. */
  onSaved: (answer: unknown) => void
  onClose: () => void
  /** Formats a value for the conflict dialog, if it is a code. */
  show?: Show
  form?: FormInstance<D>
  /**
   * Name under which the input is stored as a draft, see `useDraft`; the screen opens the form by `useEditing` with the
   * same name.
   */
  draft?: string
  /** A form with more than six fields uses a drawer with two columns, see `FormGroup`. */
  wide?: boolean
  /** Content next to the title of a wide form; it may depend on unsaved input. */
  extra?: ReactNode | ((isDirty: boolean) => ReactNode)
  onValuesChange?: (changed: Partial<D>) => void
  /** Texts of button and success message for a form that does not save a record. */
  words?: { ok: string; done: string }
  children: ReactNode
}

/**
 * A form in a dialog. Field errors of the server are shown at the fields; a changed row opens the conflict dialog;
 * closing it, or leaving the page, with unsaved input asks first.
 * @example <FormDialog title="新建品牌" schema={Brand} initial={blank} send={(draft, revision, options) => …}
 * onSaved={refresh} onClose={close}>…</FormDialog>
 */
export function FormDialog<D extends object>({
  title,
  schema,
  initial,
  send,
  onSaved,
  onClose,
  show,
  wide = false,
  words,
  children,
  ...rest
}: FormDialogProps<D>) {
  const { modal, message } = App.useApp()
  const [own] = Form.useForm<D>()
  const form = rest.form ?? own
  const id = useId()
  const [saving, setSaving] = useState(false)
  // A ref changes at once: a second press may come before the button is drawn as busy, or may still be validated after
  // the save.
  const isSaving = useRef(false)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => void (isGone.current = true)
  }, [])
  const endpoint =
    rest.to ?? ('create' in send ? (initial.id ? send.update : send.create) : undefined)
  // Permissions are read again while the form is open.
  const missingPermission = useRefusal()(endpoint, rest.unless)
  const [refusal, setRefusal] = useState<string>()
  // The permissions of this page are newer than the refusal, also when they are given back.
  if (missingPermission && refusal) setRefusal(undefined)
  const [typed, setDirty] = useState<boolean>()
  const [conflict, setConflict] = useState<{ base: Values; current: Stored; asked: string[] }>()
  // Base after a change of another user was merged, or after the input was discarded.
  const taken = useRef<typeof initial>(undefined)
  const about = initial.id ? initial : 'new'
  const draft = useDraft(rest.draft, form, about, typed ?? false, undefined, () => {
    taken.current = initial
  })
  const restored = draft.about === 'new' ? undefined : (draft.about as typeof initial | undefined)
  /** Row on which the input is based. */
  const base = () => taken.current ?? { ...initial, ...restored }
  const isDirty = typed ?? draft.isRestored
  // A ref changes at once: `onSaved` may navigate away before the form renders.
  const isGivenUp = useRef(false)
  const giveUp = useMemoizedFn(() => {
    draft.drop()
    setDirty(false)
    isGivenUp.current = true
  })

  const drafted = () => ({ ...base(), ...form.getFieldsValue(true) }) as D
  const revision = () => initial.id && { id: initial.id, version: base().version ?? 0 }

  // A repeated press with the same input, after a missing response, keeps its idempotency key.
  const press = useRef<{ of: string; name: string; isLost?: boolean }>(undefined)
  const asked = () => JSON.stringify([drafted(), revision()])
  const pressed = () => {
    const of = asked()
    if (press.current?.of !== of) press.current = { of, name: newPress() }
    return press.current.name
  }

  async function save() {
    if (isSaving.current || isGone.current || missingPermission) return
    isSaving.current = true
    setSaving(true)
    try {
      // A successful save stays locked until the dialog has closed.
      isSaving.current = await trySaving()
    } catch (error) {
      isSaving.current = false
      throw error
    } finally {
      setSaving(false)
    }
  }

  /** Returns true if the record was saved. */
  async function trySaving(): Promise<boolean> {
    try {
      const answer = await send(drafted(), revision() || undefined, { handles, press: pressed() })
      giveUp()
      onClose()
      onSaved(answer)
      message.success(words?.done ?? `已保存${nameOf(answer)}`)
      return true
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (press.current) press.current.isLost = error.code === undefined
      setRefusal(error.code === missingRight ? error.message : undefined)
      if (error.code === codes.version) return merge((error.data as { current: Stored }).current)
      if (error.code === codes.fields) showAtFields((error.data as FieldErrors).fields)
      return false
    }
  }

  /**
   * Three-way merge: takes over changes of the other user alone and saves again; asks if both changed the same field.
   */
  async function merge(current: Stored): Promise<boolean> {
    const typed = form.getFieldsValue() as Record<string, unknown>
    const { taken: theirs, asked } = mergeRows(schema, base(), typed, current)
    // Fields that the form does not show take the stored value.
    const unseen = Object.entries(current).filter(([name]) => !(name in typed))
    const newer = { ...Object.fromEntries(unseen), ...theirs }
    form.setFieldsValue(newer as Parameters<typeof form.setFieldsValue>[0])
    if (asked.length > 0) {
      // Values taken over from the other user count as base if the row changes again before the conflict is resolved.
      const seen = Object.keys(theirs).map((name) => [name, current[name]] as const)
      const newBase = { ...base(), ...Object.fromEntries(seen) }
      taken.current = newBase
      setConflict({ base: newBase, current, asked })
      return false
    }
    taken.current = { ...base(), ...current }
    const titles = Object.keys(theirs).map((name) => titleOf(schema, name))
    if (titles.length > 0)
      message.info(`已保留 ${current.updateBy ?? '其他人'} 修改的${titles.join('、')}`)
    return trySaving()
  }

  function showAtFields(fields: Record<string, string>) {
    // Errors are matched to the form's own field names, in which the index of a list is a number.
    const known = new Map(form.getFieldsError().map(({ name }) => [name.join('.'), name]))
    const wrong = Object.entries(fields)
    const here = wrong.flatMap(([path, error]) => {
      const name = known.get(path)
      return name ? [{ name, errors: [error] }] : []
    })
    form.setFields(here as Parameters<typeof form.setFields>[0])
    if (here[0])
      form.scrollToField(here[0].name as Parameters<typeof form.scrollToField>[0], { focus: true })
    const elsewhere = wrong.find(([path]) => !known.has(path))
    if (elsewhere) message.error(elsewhere[1])
  }

  // The draft is kept if the session has ended or the server is unavailable.
  useLeaving(() => isDirty && !isGivenUp.current, giveUp)

  // A dialog takes the focus when it opens, even from a field with `autoFocus`.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const form = document.getElementById(id)
      if (!form?.contains(document.activeElement))
        form?.querySelector<HTMLElement>(firstField)?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [id])

  const cancel = () =>
    isDirty ? void modal.confirm({ ...leaving, onOk: () => (giveUp(), onClose()) }) : onClose()
  const fields = (
    <Form<D>
      id={id}
      name={id}
      form={form}
      layout="vertical"
      initialValues={initial}
      scrollToFirstError={{ focus: true }}
      onFinish={() => void save()}
      // The uniqueness check may report the row that an earlier press with a lost response has saved; the server
      // recognises the key.
      onFinishFailed={() => press.current?.isLost && press.current.of === asked() && void save()}
      onValuesChange={(changed: Partial<D>) => {
        setDirty(true)
        isGivenUp.current = false
        draft.keep()
        rest.onValuesChange?.(changed)
      }}
    >
      {draft.hint}
      {children}
    </Form>
  )

  return (
    <>
      {wide ? (
        <Drawer
          open
          title={title}
          extra={typeof rest.extra === 'function' ? rest.extra(isDirty) : rest.extra}
          size={720}
          mask={{ closable: false }}
          onClose={cancel}
          footer={
            <>
              <CannotSave why={missingPermission ?? refusal} what={words?.ok} />
              <Space style={{ display: 'flex', justifyContent: 'end' }}>
                <Button onClick={cancel}>取消</Button>
                <Because why={missingPermission}>
                  <Button type="primary" htmlType="submit" form={id} loading={saving}>
                    {words?.ok ?? '保存'}
                  </Button>
                </Because>
              </Space>
            </>
          }
        >
          {fields}
        </Drawer>
      ) : (
        <RightModal
          open
          unless={missingPermission}
          refusal={refusal}
          title={title}
          width={560}
          style={{ top: 40 }}
          mask={{ closable: false }}
          okText={words?.ok ?? '保存'}
          okButtonProps={{ htmlType: 'submit', form: id }}
          confirmLoading={saving}
          onCancel={cancel}
          styles={{ body: dialogBody }}
        >
          {fields}
        </RightModal>
      )}
      {conflict && (
        <Conflict
          schema={schema}
          mine={form.getFieldsValue(true) as Record<string, unknown>}
          {...conflict}
          show={show}
          onClose={() => setConflict(undefined)}
          onMerge={(chosen) => {
            form.setFieldsValue(chosen as Parameters<typeof form.setFieldsValue>[0])
            taken.current = { ...base(), ...conflict.current }
            setConflict(undefined)
            void save()
          }}
          onReload={() => {
            taken.current = { ...base(), ...conflict.current }
            form.setFieldsValue(conflict.current as Parameters<typeof form.setFieldsValue>[0])
            giveUp()
            setConflict(undefined)
          }}
        />
      )}
    </>
  )
}

type FormGroupProps = { title: string; children: ReactNode }

/** Group of related fields of a wide form, in two columns if there is room. */
export const FormGroup = ({ title, children }: FormGroupProps) => (
  <fieldset style={{ margin: 0, padding: 0, border: 0, minWidth: 0 }}>
    <legend style={{ marginBottom: 12, fontWeight: 600 }}>{title}</legend>
    <div
      style={{
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fit, minmax(260px, 1fr))',
        columnGap: 16,
      }}
    >
      {children}
    </div>
  </fieldset>
)
/** Style of a field that spans both columns. */
export const wholeLine = { gridColumn: '1 / -1' }
