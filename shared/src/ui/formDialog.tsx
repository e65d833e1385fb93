import Form from 'antd/es/form'
import type { FormInstance } from 'antd'
import { useEffect, useId, type ComponentType, type ReactNode } from 'react'
import type { z } from 'zod'
import { ignoreHandled } from '../client/call'
import { memoryDraftPrefix } from '../session/drafts'
import { ConflictDialog, type FormatValue } from './conflict'
import { useFeedback } from './feedback'
import { DrawerFrame, ModalFrame, type FrameProps } from './formDialog/frames'
import { createSaveCall, type Revision, type SaveCall } from './formDialog/saveCall'
import { useInput } from './formDialog/useInput'
import { useSave } from './formDialog/useSave'
import { discardConfirmation, useUnloadPrompt, useUnsavedChangesPrompt } from './leaving'
import { useRefusalReason, type GuardedCall } from './right'

export { createSaveCall }
export type { FrameProps }

/** Selector of the first field that accepts typing. */
const firstFieldSelector =
  'input:not([disabled], [type=radio], [type=checkbox], [type=file]), textarea:not([disabled])'

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
  /** `unless` is the reason why nothing can be saved; the opener of the form knows it. */
  | { send: SaveCall<D>; to?: undefined; unless?: string | false }
type FormDialogProps<D extends object> = SaveCallProps<D> & {
  title: string
  /** Supplies the field titles for the conflict dialog. */
  schema: z.ZodObject
  /** A new record, or a stored row with id and version. */
  initial: D & Partial<Revision>
  /** Called with the response of the server, usually the saved row. */
  onSaved: (answer: unknown) => void
  /** Called after a save, and when the form is closed; a page with its own frame stays open and needs none. */
  onClose?: () => void
  /** Formats a value for the conflict dialog, if it is a code. */
  show?: FormatValue
  form?: FormInstance<D>
  /**
   * Name under which the input is stored as a draft, see `useDraft`, so that it survives the end of the session. A list
   * opens the form by `useEditing` with the same name; another form is opened again by hand. The name tells forms of
   * one page apart that belong to different records without an id in `initial`.
   */
  draft?: string
  /** The draft leaves out these fields, besides those whose names say that they are secret. */
  draftSecrets?: string[]
  /** A form with more than six fields uses a drawer with two columns, see `FormGroup`. */
  wide?: boolean
  /** A form that is a page of its own is shown in this frame, which leads away from the page without `onClose`. */
  frame?: ComponentType<FrameProps>
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
  onClose = () => {},
  show,
  wide = false,
  words: buttonTexts,
  children,
  ...rest
}: FormDialogProps<D>) {
  const { modal } = useFeedback()
  const [ownForm] = Form.useForm<D>()
  const form = rest.form ?? ownForm
  const id = useId()
  const endpoint =
    rest.to ?? ('create' in send ? (initial.id ? send.update : send.create) : undefined)
  // Permissions are read again while the form is open.
  const missingPermission = useRefusalReason()(endpoint, rest.unless)
  const input = useInput(form, initial, rest.draft, rest.draftSecrets)
  const { isDirty, discardInput } = input
  // What was filled in before a permission ended stays editable, because it may come back.
  const isReadOnly = missingPermission !== undefined && !isDirty
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
  const survivesReload = rest.draft !== undefined && !rest.draft.startsWith(memoryDraftPrefix)
  useUnloadPrompt(() => !survivesReload && input.hasUnsavedInput())
  useFocusInForm(id)

  const cancel = () =>
    isDirty
      ? void modal.confirm({ ...discardConfirmation, onOk: () => (discardInput(), onClose()) })
      : onClose()
  const Frame = rest.frame ?? (wide ? DrawerFrame : ModalFrame)
  return (
    <>
      <Frame
        title={title}
        extra={typeof rest.extra === 'function' ? rest.extra(isDirty) : rest.extra}
        formId={id}
        okText={buttonTexts?.ok}
        missingPermission={missingPermission}
        isReadOnly={isReadOnly}
        refusal={saving.refusal}
        isBusy={saving.isBusy}
        onCancel={cancel}
      >
        <Form<D>
          id={id}
          name={id}
          form={form}
          layout="vertical"
          disabled={isReadOnly}
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
