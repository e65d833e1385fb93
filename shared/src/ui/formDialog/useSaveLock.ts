import { useEffect, useRef, useState } from 'react'

/** Returns a function that runs one save at a time; a successful one locks it until the dialog has closed. */
export function useSaveLock() {
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
