/**
 * Tries again with each frame until it succeeds, as what opens takes some to be where it can have the focus.
 * @returns gives it up
 * @example useEffect(() => (isOpen ? whenDrawn(focusFirst) : undefined), [isOpen])
 */
export function whenDrawn(attempt: () => boolean | undefined) {
  let frame = requestAnimationFrame(function again() {
    if (!attempt()) frame = requestAnimationFrame(again)
  })
  return () => cancelAnimationFrame(frame)
}
