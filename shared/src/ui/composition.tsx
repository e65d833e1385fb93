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

/** Some browsers end the composition before the key that has ended it, and give that key no mark. */
const endingKeyMs = 100
const endingKeys = new Set(['Enter', 'Escape'])

let isCompositionOpen = false
/** The text of the field when its composition began, which is what has been typed so far. */
let textBeforeComposition = ''
let compositionEndMs = -Infinity
const listeners = new Set<() => void>()

function setCompositionOpen(isOpenNow: boolean) {
  if (isCompositionOpen === isOpenNow) return
  isCompositionOpen = isOpenNow
  for (const listener of [...listeners]) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const isComposing = () => isCompositionOpen

const getFinishedText = () => (isCompositionOpen ? textBeforeComposition : undefined)

/**
 * Returns a filter of options that compares them with the finished text while a composition is open. It is another
 * function after the composition, so that a list filters again although its text may be the same.
 */
export function useComposedFilter<O extends unknown[]>(
  matches: (text: string, ...option: O) => boolean,
) {
  const finishedText = useSyncExternalStore(subscribe, getFinishedText)
  return (text: string, ...option: O) => {
    const composedText = finishedText ?? text
    return composedText === '' || matches(composedText, ...option)
  }
}

/** Returns true if the value contains the text, ignoring case, as antd's own filters do. */
export const includesText = (value: unknown, text: string) =>
  String(value ?? '')
    .toUpperCase()
    .includes(text.toUpperCase())

/** Resolves when no composition is open. */
export const waitForComposition = () =>
  new Promise<void>((resolve) => {
    if (!isCompositionOpen) return resolve()
    const unsubscribe = subscribe(() => {
      unsubscribe()
      resolve()
    })
  })

/** Returns the text without an unfinished composition, because typed pinyin is no text yet. */
export function useComposedText(text: string): string {
  const isUnfinished = useSyncExternalStore(subscribe, isComposing)
  const [finishedText, setFinishedText] = useState(text)
  if (!isUnfinished && finishedText !== text) setFinishedText(text)
  return isUnfinished ? finishedText : text
}

function stopCompositionKey(event: KeyboardEvent) {
  const hasJustEnded =
    endingKeys.has(event.key) && performance.now() - compositionEndMs < endingKeyMs
  const belongsToInputMethod = event.isComposing || event.keyCode === processKeyCode || hasJustEnded
  if (belongsToInputMethod && commandKeys.has(event.key)) event.stopImmediatePropagation()
}

/**
 * Listens on the window in the capture phase, so that no list, form or dialog handles a key that chooses a candidate.
 * The browser still handles it.
 */
function watchCompositions(targetWindow: Window) {
  const startComposition = ({ target }: CompositionEvent) => {
    textBeforeComposition = (target as Partial<HTMLInputElement>).value ?? ''
    setCompositionOpen(true)
  }
  targetWindow.addEventListener('compositionstart', startComposition, true)
  const endComposition = () => {
    compositionEndMs = performance.now()
    setCompositionOpen(false)
  }
  targetWindow.addEventListener('compositionend', endComposition, true)
  // Leaving a field ends its composition, and some browsers send no event for it.
  targetWindow.addEventListener('focusout', () => setCompositionOpen(false), true)
  targetWindow.addEventListener('keydown', stopCompositionKey, true)
}
if (typeof window !== 'undefined') watchCompositions(window)

/** @deprecated Use {@link useComposedText}; kept for remotes that were built before. */
export const useComposed = useComposedText
