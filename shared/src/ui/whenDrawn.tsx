/**
 * Repeats an attempt on each frame until it succeeds, because a popup needs several frames before it can be focused.
 * @returns a function that stops the attempts
 * @example useEffect(() => (isOpen ? retryEachFrame(focusFirstField) : undefined), [isOpen])
 */
export function retryEachFrame(attempt: () => boolean | undefined) {
  let frame = requestAnimationFrame(function runFrame() {
    if (!attempt()) frame = requestAnimationFrame(runFrame)
  })
  return () => cancelAnimationFrame(frame)
}

/** @deprecated Use {@link retryEachFrame}; kept for remotes that were built before. */
export const whenDrawn = retryEachFrame
