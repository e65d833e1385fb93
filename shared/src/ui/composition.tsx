import { useState, useSyncExternalStore } from 'react'

/** Keys that choose, leave or send; while an input method is open they are its own. */
const commandKeys = new Set([
  'Enter',
  'Escape',
  'Tab',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
])
/** The code of a key that an input method has taken; Safari says `isComposing` no more by then. */
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

/** Resolves once no composition is open. */
export const waitForComposition = () =>
  new Promise<void>((resolve) => {
    if (!isOpen) return resolve()
    const unsubscribe = subscribe(() => {
      unsubscribe()
      resolve()
    })
  })

/** The text without what an input method is still making of it: pinyin that was typed is no text yet. */
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
 * On the window and first, so that no list, form or dialog sees a key by which a candidate is chosen. The browser does
 * with it what it does.
 */
function watchCompositions(page: Window) {
  page.addEventListener('compositionstart', () => setOpen(true), true)
  page.addEventListener('compositionend', () => setOpen(false), true)
  // Who leaves the field leaves the composition, which not every browser says.
  page.addEventListener('focusout', () => setOpen(false), true)
  page.addEventListener('keydown', keepFromPage, true)
}
if (typeof window !== 'undefined') watchCompositions(window)
