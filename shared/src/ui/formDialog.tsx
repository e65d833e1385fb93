import { useMemoizedFn } from 'ahooks'
import { App, Button, Drawer, Form, Space, type FormInstance } from 'antd'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import type { z } from 'zod'
import {
  call,
  CallError,
  missingPermissionCode,
  newIdempotencyKey,
  ignoreHandled,
} from '../client/call'
import { getFieldTitle } from '../contract/fieldTitle'
import {
  pickInputFields,
  responseCodes,
  type Endpoint,
  type FieldErrors,
  type Input,
  type Output,
} from '../contract/endpoint'
import { DisabledWithReason, useRefusalReason, type GuardedCall } from './right'
import { CannotSaveHint, PermissionModal } from './rightModal'
import {
  ConflictDialog,
  mergeRows,
  type FormatValue,
  type StoredRow,
  type Values,
} from './conflict'
import { leaveConfirmation, useUnsavedChangesPrompt } from './leaving'
import { useDraft } from './useDraft'

type Revision = { id: string; version: number }
type Options = { handles: number[]; press?: string }
const dialogBodyStyle = {
  maxHeight: 'calc(100vh - 200px)',
  overflowY: 'auto',
  overflowX: 'hidden',
  paddingTop: 8,
} as const
/** Selector of the first field that accepts typing. */
const firstFieldSelector =
  'input:not([disabled], [type=radio], [type=checkbox], [type=file]), textarea:not([disabled])'
const handledCodes: number[] = [responseCodes.fields, responseCodes.version, missingPermissionCode]

/**
 * Creates a record or updates a stored one. It sends the fields of the draft schemas alone, because endpoints have no
 * input schema in the browser.
 * @example <FormDialog send={sendTo(brandApi, BrandDraft)} … />
 */
export const createSaveCall = <C extends Endpoint, U extends Endpoint>(
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
        ? call(
            update,
            { ...pickInputFields(changeSchema, draft), ...revision } as Input<U>,
            options,
          )
        : call(create, pickInputFields(draftSchema, draft) as Input<C>, options),
    { create, update },
  )

const formatRowName = (row: unknown) =>
  typeof row === 'object' && row !== null && 'name' in row && typeof row.name === 'string'
    ? `“${row.name}”`
    : ''

type SaveCall<D> = (draft: D, revision: Revision | undefined, options: Options) => Promise<unknown>
/**
 * Every form names its call, by `createSaveCall` or `to`, because it cannot save without the permission. A form of an older
 * remote may name none; the refusal of the server then informs the user.
 */
type SaveCallProps<D> =
  | {
      send: SaveCall<D> & { create: GuardedCall; update: GuardedCall }
      to?: GuardedCall
      unless?: undefined
    }
  | { send: SaveCall<D>; to: GuardedCall; unless?: undefined }
  /** `unless`: why nothing can be saved, as whoever opened the form knows it. */
  | { send: SaveCall<D>; to?: undefined; unless?: string | false }
type FormDialogProps<D extends object> = SaveCallProps<D> & {
  title: string
  /** Supplies the field titles for the conflict dialog. */
  schema: z.ZodObject
  /** A new record, or a stored row with id and version. */
  initial: D & Partial<Revision>
  /** Called with the response of the server, usually the saved row. */
  onSaved: (answer: unknown) => void
  onClose: () => void
  /** Formats a value for the conflict dialog, if it is a code. */
  show?: FormatValue
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
  onValuesChange?: (changedValues: Partial<D>) => void
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
  words: buttonTexts,
  children,
  ...rest
}: FormDialogProps<D>) {
  const { modal } = App.useApp()
  const [ownForm] = Form.useForm<D>()
  const form = rest.form ?? ownForm
  const id = useId()
  const endpoint =
    rest.to ?? ('create' in send ? (initial.id ? send.update : send.create) : undefined)
  // Permissions are read again while the form is open.
  const missingPermission = useRefusalReason()(endpoint, rest.unless)
  const input = useInput(form, initial, rest.draft)
  const { isDirty, discardInput } = input
  const { save, ...saving } = useSave({
    form,
    schema,
    send,
    input,
    missingPermission,
    onClose,
    onSaved,
    successText: buttonTexts?.done,
  })
  // The draft is kept if the session has ended or the server is unavailable.
  useUnsavedChangesPrompt(input.hasUnsavedInput, discardInput)
  useFocusInForm(id)

  const cancel = () =>
    isDirty
      ? void modal.confirm({ ...leaveConfirmation, onOk: () => (discardInput(), onClose()) })
      : onClose()
  const Frame = wide ? DrawerFrame : ModalFrame
  return (
    <>
      <Frame
        title={title}
        extra={typeof rest.extra === 'function' ? rest.extra(isDirty) : rest.extra}
        formId={id}
        okText={buttonTexts?.ok}
        missingPermission={missingPermission}
        refusal={saving.refusal}
        isBusy={saving.isBusy}
        onCancel={cancel}
      >
        <Form<D>
          id={id}
          name={id}
          form={form}
          layout="vertical"
          initialValues={initial}
          scrollToFirstError={{ focus: true }}
          onFinish={() => void save().catch(ignoreHandled)}
          // The uniqueness check may report the row that an earlier press with a lost response has saved; the server
          // recognises the key.
          onFinishFailed={() => saving.isRepeatOfLost() && void save().catch(ignoreHandled)}
          onValuesChange={(changedValues: Partial<D>) => {
            input.keepInput()
            rest.onValuesChange?.(changedValues)
          }}
        >
          {input.hint}
          {children}
        </Form>
      </Frame>
      {saving.conflict && (
        <ConflictDialog
          schema={schema}
          mine={form.getFieldsValue(true) as Record<string, unknown>}
          {...saving.conflict}
          show={show}
          onClose={saving.closeConflict}
          onMerge={(chosenValues) => {
            saving.resolveConflict(chosenValues)
            save().catch(ignoreHandled)
          }}
          onReload={() => {
            saving.resolveConflict()
            discardInput()
          }}
        />
      )}
    </>
  )
}

/** Input of a form, stored as a draft, with the row on which it is based. */
function useInput<D extends object>(
  form: FormInstance<D>,
  initial: D & Partial<Revision>,
  draftName: string | undefined,
) {
  const [dirtyOverride, setDirtyOverride] = useState<boolean>()
  // Base after a change of another user was merged, or after the input was discarded.
  const mergedBase = useRef<typeof initial>(undefined)
  const editedRecord = initial.id ? initial : 'new'
  const draft = useDraft(draftName, form, editedRecord, dirtyOverride ?? false, undefined, () => {
    mergedBase.current = initial
  })
  const restoredRecord =
    draft.about === 'new' ? undefined : (draft.about as typeof initial | undefined)
  /** Row on which the input is based. */
  const getBase = () => mergedBase.current ?? { ...initial, ...restoredRecord }
  const isDirty = dirtyOverride ?? draft.isRestored
  // A ref changes at once: `onSaved` may navigate away before the form renders.
  const isDiscarded = useRef(false)
  const discardInput = useMemoizedFn(() => {
    draft.drop()
    setDirtyOverride(false)
    isDiscarded.current = true
  })
  return {
    isDirty,
    hint: draft.hint,
    discardInput,
    hasUnsavedInput: () => isDirty && !isDiscarded.current,
    /** Stores the changed input as a draft. */
    keepInput() {
      setDirtyOverride(true)
      isDiscarded.current = false
      draft.keep()
    },
    getBase,
    /** Replaces fields of the base, for example by those of the stored row. */
    updateBase(fields: Values) {
      const newBase = { ...getBase(), ...fields }
      mergedBase.current = newBase
      return newBase
    },
    getDraft: () => ({ ...getBase(), ...form.getFieldsValue(true) }) as D,
    getRevision: () => initial.id && { id: initial.id, version: getBase().version ?? 0 },
  }
}

/** Returns a function that runs one save at a time; a successful one locks it until the dialog has closed. */
function useSaveLock() {
  const [isBusy, setBusy] = useState(false)
  // A ref changes at once: a second press may come before the button is drawn as busy, or may still be validated after
  // the save.
  const isSaving = useRef(false)
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    return () => void (isUnmounted.current = true)
  }, [])
  /** @param trySave returns true if the record was saved */
  async function runLocked(trySave: () => Promise<boolean>) {
    if (isSaving.current || isUnmounted.current) return
    isSaving.current = true
    setBusy(true)
    try {
      isSaving.current = await trySave()
    } catch (error) {
      isSaving.current = false
      throw error
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, runLocked }
}

/** A repeated press with the same input, after a missing response, keeps its idempotency key. */
function useSubmission(serializeInput: () => string) {
  const lastSubmission = useRef<{ of: string; name: string; isLost?: boolean }>(undefined)
  return {
    getIdempotencyKey() {
      const serializedInput = serializeInput()
      if (lastSubmission.current?.of !== serializedInput)
        lastSubmission.current = { of: serializedInput, name: newIdempotencyKey() }
      return lastSubmission.current.name
    },
    setLost(isLost: boolean) {
      if (lastSubmission.current) lastSubmission.current.isLost = isLost
    },
    isRepeatOfLost: () =>
      lastSubmission.current?.isLost && lastSubmission.current.of === serializeInput(),
  }
}

type SavingOptions<D extends object> = {
  form: FormInstance<D>
  schema: z.ZodObject
  send: SaveCall<D>
  input: ReturnType<typeof useInput<D>>
  missingPermission: string | undefined
  onClose: () => void
  onSaved: (answer: unknown) => void
  successText: string | undefined
}
type Conflict = { base: Values; current: StoredRow; asked: string[] }

/** Saves the input, shows errors at the fields and merges changes of other users. */
function useSave<D extends object>({
  form,
  schema,
  send,
  input,
  missingPermission,
  onClose,
  onSaved,
  successText,
}: SavingOptions<D>) {
  const { message } = App.useApp()
  const { isBusy, runLocked } = useSaveLock()
  const [refusal, setRefusal] = useState<string>()
  // The permissions of this page are newer than the refusal, also when they are given back.
  if (missingPermission && refusal) setRefusal(undefined)
  const [conflict, setConflict] = useState<Conflict>()
  const { getBase, updateBase, getDraft, getRevision, discardInput } = input
  const submission = useSubmission(() => JSON.stringify([getDraft(), getRevision()]))
  const setFields = (values: Values) =>
    form.setFieldsValue(values as Parameters<typeof form.setFieldsValue>[0])

  async function save() {
    if (!missingPermission) await runLocked(sendDraft)
  }

  /** Returns true if the record was saved. */
  async function sendDraft(): Promise<boolean> {
    try {
      const answer = await send(getDraft(), getRevision() || undefined, {
        handles: handledCodes,
        press: submission.getIdempotencyKey(),
      })
      discardInput()
      onClose()
      onSaved(answer)
      message.success(successText ?? `已保存${formatRowName(answer)}`)
      return true
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      submission.setLost(error.code === undefined)
      setRefusal(error.code === missingPermissionCode ? error.message : undefined)
      if (error.code === responseCodes.version)
        return merge((error.data as { current: StoredRow }).current)
      if (error.code === responseCodes.fields) {
        const unmatchedError = showAtFields(form, (error.data as FieldErrors).fields)
        if (unmatchedError) message.error(unmatchedError)
      }
      return false
    }
  }

  /**
   * Three-way merge: takes over changes of the other user alone and saves again; asks if both changed the same field.
   */
  async function merge(current: StoredRow): Promise<boolean> {
    const formValues = form.getFieldsValue() as Record<string, unknown>
    const { taken: theirs, asked: conflictNames } = mergeRows(
      schema,
      getBase(),
      formValues,
      current,
    )
    // Fields that the form does not show take the stored value.
    const hiddenFieldEntries = Object.entries(current).filter(([name]) => !(name in formValues))
    setFields({ ...Object.fromEntries(hiddenFieldEntries), ...theirs })
    if (conflictNames.length > 0) {
      // Values taken over from the other user count as base if the row changes again before the conflict is resolved.
      const mergedEntries = Object.keys(theirs).map((name) => [name, current[name]] as const)
      const newBase = updateBase(Object.fromEntries(mergedEntries))
      setConflict({ base: newBase, current, asked: conflictNames })
      return false
    }
    updateBase(current)
    const titles = Object.keys(theirs).map((name) => getFieldTitle(schema, name))
    if (titles.length > 0)
      message.info(`已保留 ${current.updateBy ?? '其他人'} 修改的${titles.join('、')}`)
    return sendDraft()
  }

  return {
    isBusy,
    refusal,
    save,
    isRepeatOfLost: submission.isRepeatOfLost,
    conflict,
    closeConflict: () => setConflict(undefined),
    /** Fills the form with the chosen values, or with the stored row. */
    resolveConflict(chosenValues: Values = conflict!.current) {
      setFields(chosenValues)
      updateBase(conflict!.current)
      setConflict(undefined)
    },
  }
}

/** Shows errors at their fields and returns the first error that belongs to no field of the form. */
function showAtFields<D extends object>(form: FormInstance<D>, fields: Record<string, string>) {
  // Errors are matched to the form's own field names, in which the index of a list is a number.
  const formFieldNames = new Map(form.getFieldsError().map(({ name }) => [name.join('.'), name]))
  const errorEntries = Object.entries(fields)
  const matchedErrors = errorEntries.flatMap(([path, error]) => {
    const name = formFieldNames.get(path)
    return name ? [{ name, errors: [error] }] : []
  })
  form.setFields(matchedErrors as Parameters<typeof form.setFields>[0])
  if (matchedErrors[0])
    form.scrollToField(matchedErrors[0].name as Parameters<typeof form.scrollToField>[0], {
      focus: true,
    })
  return errorEntries.find(([path]) => !formFieldNames.has(path))?.[1]
}

/** Focuses the first field, because a dialog takes the focus when it opens, even from a field with `autoFocus`. */
function useFocusInForm(id: string) {
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const form = document.getElementById(id)
      if (!form?.contains(document.activeElement))
        form?.querySelector<HTMLElement>(firstFieldSelector)?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [id])
}

type FrameProps = {
  title: string
  extra: ReactNode
  formId: string
  okText: string | undefined
  missingPermission: string | undefined
  refusal: string | undefined
  isBusy: boolean
  onCancel: () => void
  children: ReactNode
}

const DrawerFrame = ({
  title,
  extra,
  formId,
  okText,
  missingPermission,
  refusal,
  isBusy,
  onCancel,
  children,
}: FrameProps) => (
  <Drawer
    open
    title={title}
    extra={extra}
    size={720}
    mask={{ closable: false }}
    onClose={onCancel}
    footer={
      <>
        <CannotSaveHint why={missingPermission ?? refusal} what={okText} />
        <Space style={{ display: 'flex', justifyContent: 'end' }}>
          <Button onClick={onCancel}>取消</Button>
          <DisabledWithReason why={missingPermission}>
            <Button type="primary" htmlType="submit" form={formId} loading={isBusy}>
              {okText ?? '保存'}
            </Button>
          </DisabledWithReason>
        </Space>
      </>
    }
  >
    {children}
  </Drawer>
)

const ModalFrame = ({
  title,
  formId,
  okText,
  missingPermission,
  refusal,
  isBusy,
  onCancel,
  children,
}: FrameProps) => (
  <PermissionModal
    open
    unless={missingPermission}
    refusal={refusal}
    title={title}
    width={560}
    style={{ top: 40 }}
    mask={{ closable: false }}
    okText={okText ?? '保存'}
    okButtonProps={{ htmlType: 'submit', form: formId }}
    confirmLoading={isBusy}
    onCancel={onCancel}
    styles={{ body: dialogBodyStyle }}
  >
    {children}
  </PermissionModal>
)

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
export const fullRowStyle = { gridColumn: '1 / -1' }

/** @deprecated Use {@link createSaveCall}; kept for remotes that were built before. */
export const sendTo = createSaveCall

/** @deprecated Use {@link fullRowStyle}; kept for remotes that were built before. */
export const wholeLine = fullRowStyle
