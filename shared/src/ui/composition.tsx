import { useState, useSyncExternalStore } from 'react'

/** Keys that choose, leave or submit; they belong to the input method while it is open. */
const commandKeys = new Set([
  'Enter',
  'Escape',
  'Tab',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
])
/** Key code of a key that an input method has consumed; Safari has reset `isComposing` by then. */
const processKeyCode = 229

let isOpen = false
const listeners = new Set<() => void>()

function setOpen(next: boolean) {
  if (isOpen === next) return
  isOpen = next
  for (const listener of [...listeners]) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const isComposing = () => isOpen

/** Resolves when no composition is open. */
export const waitForComposition = () =>
  new Promise<void>((resolve) => {
    if (!isOpen) return resolve()
    const unsubscribe = subscribe(() => {
      unsubscribe()
      resolve()
    })
  })

/** Returns the text without an unfinished composition, because typed pinyin is no text yet. */
export function useComposed(text: string): string {
  const isWaiting = useSyncExternalStore(subscribe, isComposing)
  const [settled, setSettled] = useState(text)
  if (!isWaiting && settled !== text) setSettled(text)
  return isWaiting ? settled : text
}

function keepFromPage(event: KeyboardEvent) {
  const isOfInputMethod = event.isComposing || event.keyCode === processKeyCode
  if (isOfInputMethod && commandKeys.has(event.key)) event.stopImmediatePropagation()
}

/**
 * Listens on the window in the capture phase, so that no list, form or dialog handles a key that chooses a candidate.
 * The browser still handles it.
 */
function watchCompositions(page: Window) {
  page.addEventListener('compositionstart', () => setOpen(true), true)
  page.addEventListener('compositionend', () => setOpen(false), true)
  // Leaving a field ends its composition, and some browsers send no event for it.
  page.addEventListener('focusout', () => setOpen(false), true)
  page.addEventListener('keydown', keepFromPage, true)
}
if (typeof window !== 'undefined') watchCompositions(window)
