import type { FormInstance } from 'antd'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { CallError, missingPermissionCode, newIdempotencyKey } from '../../client/call'
import { responseCodes, type FieldErrors } from '../../contract/endpoint'
import { getFieldTitle } from '../../contract/fieldTitle'
import { mergeRows, type StoredRow, type Values } from '../conflict'
import type { SaveCall } from './saveCall'
import type { useInput } from './useInput'
import { useSaveLock } from './useSaveLock'
import { useFeedback } from '../feedback'

const handledCodes: number[] = [responseCodes.fields, responseCodes.version, missingPermissionCode]

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
export function useSave<D extends object>({
  form,
  schema,
  send,
  input,
  missingPermission,
  onClose,
  onSaved,
  successText,
}: SavingOptions<D>) {
  const { message } = useFeedback()
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

const formatRowName = (row: unknown) =>
  typeof row === 'object' && row !== null && 'name' in row && typeof row.name === 'string'
    ? `“${row.name}”`
    : ''

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
