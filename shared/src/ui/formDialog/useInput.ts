import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import type { FormInstance } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { Values } from '../conflict'
import { useDraft } from '../useDraft'
import type { Revision } from './saveCall'

/** Input of a form, stored as a draft, with the row on which it is based. */
export function useInput<D extends object>(
  form: FormInstance<D>,
  newestRecord: D & Partial<Revision>,
  draftName: string | undefined,
  secretNames?: string[],
) {
  const [dirtyOverride, setDirtyOverride] = useState<boolean>()
  const [initial, setInitial] = useState(newestRecord)
  // Base after a change of another user was merged, or after the input was discarded.
  const mergedBase = useRef<typeof initial>(undefined)
  const editedRecord = initial.id ? initial : 'new'
  const draft = useDraft(draftName, form, editedRecord, dirtyOverride ?? false, secretNames, () => {
    mergedBase.current = initial
  })
  const restoredRecord =
    draft.about === 'new' ? undefined : (draft.about as typeof initial | undefined)
  /** Row on which the input is based. */
  const getBase = () => mergedBase.current ?? { ...initial, ...restoredRecord }
  const isDirty = dirtyOverride ?? draft.isRestored
  // The page may read the row again while the form is open. Input stays based on the row on which it began, because the
  // newer one would pass the optimistic lock without having been seen.
  const isOutdated = newestRecord.id !== initial.id || newestRecord.version !== initial.version
  if (isOutdated && !isDirty) setInitial(newestRecord)
  const shownRecord = useRef(initial)
  useEffect(() => {
    if (shownRecord.current === initial) return
    shownRecord.current = initial
    mergedBase.current = undefined
    form.setFieldsValue(initial as Parameters<typeof form.setFieldsValue>[0])
  }, [initial, form])
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
