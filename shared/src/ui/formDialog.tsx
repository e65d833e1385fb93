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
/** Where one can begin to type. */
const firstField =
  'input:not([disabled], [type=radio], [type=checkbox], [type=file]), textarea:not([disabled])'
const handles: number[] = [codes.fields, codes.version, missingRight]

/**
 * Creates a record or changes a stored one; of the values only those the calls take are sent: in the browser an endpoint
 * does not know its input.
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
 * Every form names its call, by `sendTo` or by `to`, so that it is disabled while the permission is missing. A form of an
 * older remote names none; there only the refusal of the platform tells it.
 */
type Sending<D> =
  | { send: Send<D> & { create: Asked; update: Asked }; to?: Asked; unless?: undefined }
  | { send: Send<D>; to: Asked; unless?: undefined }
  /** `unless`: why nothing can be saved, as whoever opened the form knows it. */
  | { send: Send<D>; to?: undefined; unless?: string | false }
type FormDialogProps<D extends object> = Sending<D> & {
  title: string
  /** Gives the fields their titles when they are compared. */
  schema: z.ZodObject
  /** A new record, or a stored row: then it carries id and version. */
  initial: D & Partial<Revision>
  /** Gets the platform's answer, usually the saved row. */
  onSaved: (answer: unknown) => void
  onClose: () => void
  /** How a value reads to people, where it is a code. */
  show?: Show
  form?: FormInstance<D>
  /** Keeps what is typed under this name, see `useDraft`; the screen opens the form by `useEditing` of the same name. */
  draft?: string
  /** More than six fields: a drawer of two columns, see `FormGroup`. */
  wide?: boolean
  /** Beside the title of a wide one; may depend on whether something is not saved. */
  extra?: ReactNode | ((isDirty: boolean) => ReactNode)
  onValuesChange?: (changed: Partial<D>) => void
  /** Where nothing is saved: what the button says, and what is said when it is done. */
  words?: { ok: string; done: string }
  children: ReactNode
}

/**
 * A form in a dialog. Wrong fields of the server's answer stand at the fields; a row that was changed in between opens
 * the conflict dialog; closing it, or leaving the page, with something typed asks first.
 * @example <FormDialog title="新建品牌" schema={Brand} initial={blank} send={(draft, revision, options) => …} onSaved={refresh} onClose={close}>…</FormDialog>
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
  // Known at once: a second press comes before the button is drawn as busy, or is still checked when all is done.
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
  // The row as it was when a colleague's change was last taken over, or when what was typed was given up.
  const taken = useRef<typeof initial>(undefined)
  const about = initial.id ? initial : 'new'
  const draft = useDraft(rest.draft, form, about, typed ?? false, undefined, () => {
    taken.current = initial
  })
  const restored = draft.about === 'new' ? undefined : (draft.about as typeof initial | undefined)
  /** The row that what is typed was typed upon. */
  const base = () => taken.current ?? { ...initial, ...restored }
  const isDirty = typed ?? draft.isRestored
  // Known at once: who saved may lead elsewhere before the form is drawn again.
  const isGivenUp = useRef(false)
  const giveUp = useMemoizedFn(() => {
    draft.drop()
    setDirty(false)
    isGivenUp.current = true
  })

  const drafted = () => ({ ...base(), ...form.getFieldsValue(true) }) as D
  const revision = () => initial.id && { id: initial.id, version: base().version ?? 0 }

  // Pressed again with the same in it, because no answer came, it is the same press.
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
      // What was saved is not saved again by a press before the dialog is gone.
      isSaving.current = await trySaving()
    } catch (error) {
      isSaving.current = false
      throw error
    } finally {
      setSaving(false)
    }
  }

  /** Whether it was saved. */
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

  /** Takes over what only a colleague changed and saves again; asks where both changed the same. */
  async function merge(current: Stored): Promise<boolean> {
    const typed = form.getFieldsValue() as Record<string, unknown>
    const { taken: theirs, asked } = mergeRows(schema, base(), typed, current)
    // What the form does not show is not its to change.
    const unseen = Object.entries(current).filter(([name]) => !(name in typed))
    const newer = { ...Object.fromEntries(unseen), ...theirs }
    form.setFieldsValue(newer as Parameters<typeof form.setFieldsValue>[0])
    if (asked.length > 0) {
      // What was taken over is not one's own when it is changed once more before this is answered.
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
    // By the form's own names: of a list the place is a number.
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

  // The draft stays where the session ended or the server is down.
  useLeaving(() => isDirty && !isGivenUp.current, giveUp)

  // What opens takes the focus itself, whatever field asked for it.
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
      // What is taken now may be so by the press whose answer was lost: the platform knows.
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

/** Fields of a wide form that belong together, in two columns where there is room. */
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
/** Of a field that takes both columns. */
export const wholeLine = { gridColumn: '1 / -1' }
